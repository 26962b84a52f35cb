import { AppError } from '@/lib/errors';
import { type Instruction, readInstructions } from '@/lib/protocol/dockerfile';
import { channelsSchema } from '@/lib/vocabulary/image-schemas';
import { parseImageName } from '@/lib/vocabulary/image-name';
import { readCondaMatch } from './conda-match';
import { readRequirement } from './python-requirement';
import { isEnvironmentName, ListReader, type LeftOut, type ReadLists } from './read-list';
import { joinWords, readCommands } from './shell-words';

const PIP = /^(?:pip[\d.]*|(?:python[\d.]* -m |uv )pip) install\b/;
const CONDA = /^(?:conda|mamba|micromamba) (?:install|create)\b/;
/** Change nothing of what is installed. */
const QUIET = new Set([
  ...['-y', '--yes', '-q', '--quiet', '-U', '--upgrade', '--no-cache-dir', '--no-cache', '--no-input'],
  ...['--disable-pip-version-check', '--break-system-packages', '--root-user-action=ignore', '--system', '--user'],
  ...['--override-channels', '--prefer-binary'],
]);
const NO_LIST = 'What is done here is no list of packages.';

/** What a Dockerfile installs by pip and conda, what it starts from, and what it runs. Throws `invalid` where it can't be read. */
export function readDockerfileLists(source: string): ReadLists {
  const instructions = readInstructions(source);
  if (!Array.isArray(instructions)) throw new AppError('invalid', `The file can not be read: ${instructions.message}`);
  if (!instructions.some(({ word }) => word === 'FROM')) {
    throw new AppError('invalid', 'The file can not be read: it has no FROM.');
  }
  const file = new DockerfileReader();
  for (const instruction of instructions) file.take(instruction);
  return file.finish();
}

class DockerfileReader {
  private readonly environments = new Map<string, ListReader>();
  private readonly leftOut: LeftOut[] = [];
  private baseImage = '';
  private entrypoint: string[] | string | undefined;
  private command: string[] | string | undefined;
  private stages = 0;

  take(instruction: Instruction): void {
    const { word, rest, line } = instruction;
    if (word === 'FROM') this.takeFrom(line, rest);
    else if (word === 'RUN') this.takeRun(instruction);
    else if (word === 'ENTRYPOINT') [this.entrypoint, this.command] = [wordsOf(rest), undefined];
    else if (word === 'CMD') this.command = wordsOf(rest);
    else this.leave(line, `${word} ${rest}`, 'This instruction has no counterpart.');
  }

  finish(): ReadLists {
    const environments = [...this.environments].map(([name, reader]) => reader.toEnvironment(name));
    const used = environments.filter(({ packages }) => packages.length > 0);
    for (const reader of this.environments.values()) this.leftOut.push(...reader.leftOut);
    this.leftOut.sort((a, b) => a.line - b.line);
    const command = this.toCommand();
    const startupCommands = command === '' ? [] : [{ command, environment: used[0]?.name ?? null }];
    return { baseImage: this.baseImage, environments: used, startupCommands, leftOut: this.leftOut };
  }

  private takeFrom(line: number, rest: string): void {
    this.stages += 1;
    if (this.stages > 1)
      this.leave(line, `FROM ${rest}`, 'Only the last stage is taken. What it copies of others is not.');
    const [name = ''] = rest.split(/\s+/).filter((part) => !part.startsWith('--'));
    this.environments.clear();
    [this.entrypoint, this.command, this.baseImage] = [undefined, undefined, ''];
    if (!name.includes('$') && parseImageName(name)) this.baseImage = name;
    else this.leave(line, `FROM ${rest}`, 'The base is named by a variable.');
  }

  private takeRun({ line, rest, body }: Instruction): void {
    const text = rest.replace(/^(?:--\S+\s+)+/, '');
    const commands = body.length > 0 ? undefined : text.startsWith('[') ? listOf(wordsOf(text)) : readCommands(text);
    if (!commands) return this.leave(line, `RUN ${text}`, NO_LIST);
    for (const words of commands) {
      const command = words.join(' ');
      if (PIP.test(command)) this.takePip(line, words.slice(words.indexOf('install') + 1));
      else if (CONDA.test(command)) this.takeConda(line, words.slice(2));
      else this.leave(line, command, NO_LIST);
    }
  }

  private takePip(line: number, words: readonly string[]): void {
    const reader = this.readerOf('main');
    for (let at = 0; at < words.length; at += 1) {
      const word = words[at]!;
      if (QUIET.has(word)) continue;
      if (!word.startsWith('-')) reader.take(line, word, readRequirement(word));
      else if (/^(?:-r|--requirement|-c|--constraint)$/.test(word)) {
        reader.leave(line, `${word} ${words[(at += 1)] ?? ''}`, 'Another file is named here. Import it by itself.');
      } else if (
        /^(?:-i|--index-url|--extra-index-url|-f|--find-links|--trusted-host|-e|--editable|-t|--target)$/.test(word)
      ) {
        reader.leave(line, `${word} ${words[(at += 1)] ?? ''}`, 'This option has no counterpart.');
      } else reader.leave(line, word, 'This option has no counterpart.');
    }
  }

  private takeConda(line: number, words: readonly string[]): void {
    const named = words.findIndex((word) => word === '-n' || word === '--name');
    const name = named < 0 ? 'base' : (words[named + 1] ?? '');
    const reader = this.readerOf(name === 'base' || !isEnvironmentName(name) ? 'main' : name);
    for (let at = 0; at < words.length; at += 1) {
      const word = words[at]!;
      if (word === '-n' || word === '--name') at += 1;
      else if (word === '-c' || word === '--channel') this.takeChannel(reader, line, words[(at += 1)] ?? '');
      else if (word.startsWith('-')) {
        if (!QUIET.has(word)) reader.leave(line, word, 'This option has no counterpart.');
      } else reader.take(line, word, readCondaMatch(word));
    }
  }

  private takeChannel(reader: ListReader, line: number, name: string): void {
    if (channelsSchema.safeParse([name]).success) reader.addChannel(name);
    else reader.leave(line, name, 'Invalid channel.');
  }

  private readerOf(name: string): ListReader {
    const known = this.environments.get(name) ?? new ListReader();
    this.environments.set(name, known);
    return known;
  }

  private toCommand(): string {
    const { entrypoint, command } = this;
    if (typeof entrypoint === 'string') return entrypoint;
    const words = [...(entrypoint ?? []), ...(Array.isArray(command) ? command : [])];
    if (typeof command === 'string') return entrypoint ? joinWords([...entrypoint, 'sh', '-c', command]) : command;
    return joinWords(words);
  }

  private leave(line: number, text: string, reason: string): void {
    const reader = new ListReader();
    reader.leave(line, text, reason);
    this.leftOut.push(...reader.leftOut);
  }
}

/** The words of an instruction in its form as a list; else its text, which a shell reads. */
function wordsOf(rest: string): string[] | string {
  if (!rest.startsWith('[')) return rest;
  try {
    const words: unknown = JSON.parse(rest);
    return Array.isArray(words) && words.every((word) => typeof word === 'string') ? words : rest;
  } catch {
    // Builders take what is no list for a command, too.
    return rest;
  }
}

function listOf(words: string[] | string): string[][] | undefined {
  return typeof words === 'string' ? undefined : [words];
}
