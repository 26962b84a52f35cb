import { type Instruction, readDirectives } from '@/lib/protocol/dockerfile';
import {
  describeReach,
  describeTrigger,
  type FlaggedText,
  readArguments,
  readFlags,
  readMount,
  remoteSource,
  writeFlags,
  writeMount,
} from '@/lib/protocol/dockerfile-flags';
import { describeFetch } from '@/lib/protocol/public-address';
import { readDockerfile } from './dockerfile';
import { expandVariables, UnreadVariableError } from './expand-variables';

/** What in a Dockerfile can't be built, at the field that holds it. */
export class DockerfileRefusal extends Error {}

/** A name of an image in a Dockerfile. */
export interface NameUse {
  name: string;
  line: number;
  /** As in `linux/arm64`; empty for the host's own. */
  platform: string;
}

export interface RewriteOptions {
  /** What the host calls the image. Throws DockerfileRefusal. */
  resolve(use: NameUse): string;
  buildArgs?: Readonly<Record<string, string>>;
  /** The host's own, as in `linux/amd64`. */
  platform: string;
}

export interface RewrittenDockerfile {
  dockerfile: string;
  /** Web addresses that the build fetches. */
  fetches: string[];
  hasHereDocuments: boolean;
}

/** Builders read no longer lines than 64 KiB. */
const LINE_MAX = 60_000;

/**
 * A Dockerfile that says the same with names of the host in place of those of images. It is written anew from what was read,
 * so that a builder finds no other instruction in it than those that were looked at. Throws DockerfileRefusal.
 */
export function rewriteDockerfile(source: string, options: RewriteOptions): RewrittenDockerfile {
  const instructions = readDockerfile(source);
  if (!Array.isArray(instructions)) throw new DockerfileRefusal(instructions.message);
  const directives = readDirectives(source.replace(/^\uFEFF/, '').split(/\r?\n/));
  const syntax = directives.get('syntax') ?? '';
  if (syntax !== '' && !/^(docker\.io\/)?docker\/dockerfile(:|$)/.test(syntax)) {
    throw new DockerfileRefusal(`Line 1: the syntax ${syntax} is not built here. Take the line out.`);
  }
  const escape = directives.get('escape') === '`' ? '`' : '\\';
  return new Rewriting(options, escape).run(instructions);
}

class Rewriting {
  private readonly globals: Map<string, string>;
  private readonly stages = new Set<string>();
  private readonly fetches: string[] = [];
  private isInStage = false;

  constructor(
    private readonly options: RewriteOptions,
    private readonly escape: string,
  ) {
    const { platform, buildArgs = {} } = options;
    const [os = '', arch = '', variant = ''] = platform.split('/');
    const facts = { PLATFORM: platform, OS: os, ARCH: arch, VARIANT: variant };
    const named = Object.entries(facts).flatMap(([name, value]) => [
      [`TARGET${name}`, value] as const,
      [`BUILD${name}`, value] as const,
    ]);
    this.globals = new Map([...named, ...Object.entries(buildArgs)]);
  }

  run(instructions: readonly Instruction[]): RewrittenDockerfile {
    const lines = [`# escape=${this.escape}`];
    for (const instruction of instructions) {
      const text = this.within(instruction.line, () => this.rewrite(instruction));
      lines.push(...this.wrap(text, instruction.line), ...instruction.body);
    }
    const hasHereDocuments = instructions.some(({ body }) => body.length > 0);
    return { dockerfile: `${lines.join('\n')}\n`, fetches: this.fetches, hasHereDocuments };
  }

  private within(line: number, read: () => string): string {
    try {
      return read();
    } catch (error) {
      if (!(error instanceof UnreadVariableError || error instanceof StepRefusal)) throw error;
      throw new DockerfileRefusal(`Line ${line}: ${error.message}`, { cause: error });
    }
  }

  private rewrite({ line, word, rest }: Instruction): string {
    switch (word) {
      case 'ARG':
        if (!this.isInStage) this.takeGlobals(rest);
        return `ARG ${rest}`;
      case 'FROM':
        return this.rewriteFrom(rest, line);
      case 'COPY':
      case 'ADD':
      case 'RUN':
        return `${word} ${writeFlags(this.rewriteStep(word, rest, line))}`;
      case 'ONBUILD':
        return this.checkTrigger(rest);
      default:
        return `${word} ${rest}`;
    }
  }

  /** Build arguments that were given stand over what the Dockerfile says of them. */
  private takeGlobals(rest: string): void {
    for (const [, name, value = ''] of rest.matchAll(/([A-Za-z_]\w*)(?:=((?:"[^"]*"|'[^']*'|\S)*))?/g)) {
      if (Object.hasOwn(this.options.buildArgs ?? {}, name!) || (this.globals.has(name!) && value === '')) continue;
      this.globals.set(name!, this.expand(value));
    }
  }

  private rewriteFrom(rest: string, line: number): string {
    this.isInStage = true;
    const { flags, rest: words } = flagsOf(rest);
    const [base = '', as = '', stage = '', ...more] = words.split(/\s+/);
    if (base === '' || more.length > 0 || (as !== '' && (as.toLowerCase() !== 'as' || stage === ''))) {
      throw new StepRefusal('FROM takes a name, and AS with the name of a stage.');
    }
    if (flags.some(({ name }) => name !== 'platform')) throw new StepRefusal('FROM takes no option but --platform.');
    const asked = this.expand(flags[0]?.value ?? '');
    if (!/^[\w./-]*$/.test(asked)) throw new StepRefusal(`${asked} is no platform.`);
    const platform = asked === this.options.platform ? '' : asked;
    const name = this.expand(base);
    const isKnown = name === 'scratch' || this.stages.has(name.toLowerCase());
    const target = isKnown ? name : this.options.resolve({ name, line, platform });
    if (stage !== '') this.stages.add(stage.toLowerCase());
    return ['FROM', asked && `--platform=${asked}`, target, stage && `AS ${stage}`].filter(Boolean).join(' ');
  }

  private rewriteStep(word: string, rest: string, line: number): FlaggedText {
    const reach = describeReach(word, rest);
    if (reach) throw new StepRefusal(reach);
    const step = flagsOf(rest);
    if (word === 'ADD') this.checkFetches(step.rest);
    const flags = step.flags.map(({ name, value }) => {
      if (word === 'COPY' && name === 'from') return { name, value: this.source(value, { line, takesNumbers: true }) };
      if (word !== 'RUN' || name !== 'mount') return { name, value };
      const parts = readMount(value ?? '').map((part) =>
        part.name === 'from' ? { name: 'from', value: this.source(part.value, { line, takesNumbers: false }) } : part,
      );
      return { name, value: writeMount(parts) };
    });
    return { flags, rest: step.rest };
  }

  /** Where COPY and mounts take files from: a stage before, or an image. */
  private source(value = '', { line, takesNumbers }: { line: number; takesNumbers: boolean }): string {
    if (value.includes('$')) throw new StepRefusal(`write out the name in from=${value}, or name a stage.`);
    if (takesNumbers && /^[+-]?\d+$/.test(value)) return value;
    if (value === '' || value === 'scratch' || this.stages.has(value.toLowerCase())) return value;
    return this.options.resolve({ name: value, line, platform: '' });
  }

  private checkFetches(rest: string): void {
    const words = readArguments(rest);
    if (!words) throw new StepRefusal('the list of its arguments is no JSON.');
    for (const word of words.slice(0, -1)) {
      const source = remoteSource(word);
      const problem = source && describeFetch(source);
      if (problem) throw new StepRefusal(problem);
      if (source) this.fetches.push(source);
    }
  }

  /** A trigger runs in builds that start from this one, where it is not looked at again. */
  private checkTrigger(rest: string): string {
    const [, inner = '', words = ''] = /^(\S+)\s*([\s\S]*)$/.exec(rest) ?? [];
    const problem = describeTrigger(inner.toUpperCase(), words);
    if (problem) throw new StepRefusal(problem);
    return `ONBUILD ${rest}`;
  }

  private expand(word: string): string {
    return expandVariables(word, { variables: this.globals, escape: this.escape });
  }

  /** One instruction on as many lines as builders need. It may not end in what would join the next one to it. */
  private wrap(text: string, line: number): string[] {
    if (text.endsWith(this.escape)) {
      throw new DockerfileRefusal(`Line ${line}: the instruction ends with ${this.escape}, and nothing follows.`);
    }
    const lines: string[] = [];
    let from = 0;
    while (text.length - from > LINE_MAX) {
      let to = from + LINE_MAX;
      while (to > from && !/^[^\s\\`#][^\s\\`#]$/.test(text.slice(to - 1, to + 1))) to -= 1;
      if (to === from) throw new DockerfileRefusal(`Line ${line}: the instruction is too long.`);
      lines.push(text.slice(from, to) + this.escape);
      from = to;
    }
    return [...lines, text.slice(from)];
  }
}

/** What is wrong with one instruction, without its line. */
class StepRefusal extends Error {}

function flagsOf(rest: string): FlaggedText {
  const read = readFlags(rest);
  if (!read) throw new StepRefusal('write its options without quotes and escapes.');
  return read;
}
