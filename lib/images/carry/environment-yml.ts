import { isAlias, isMap, isScalar, isSeq, LineCounter, type Node, parseDocument, type YAMLMap } from 'yaml';
import { channelsSchema } from '@/lib/vocabulary/image-schemas';
import { AppError } from '@/lib/errors';
import { readCondaMatch } from './conda-match';
import { readRequirement } from './python-requirement';
import { isEnvironmentName, ListReader, type ReadLists } from './read-list';

/** The file that conda makes an environment of. Throws `invalid` where it is no such file. */
export function readEnvironmentYml(source: string): ReadLists {
  const counter = new LineCounter();
  const root = parse(source, counter);
  const lineOf = (node: unknown): number => counter.linePos((node as Node).range?.[0] ?? 0).line;
  const file = new EnvironmentFile(lineOf);
  for (const { key, value } of root.items) file.take(key as Node, value as Node | null);
  return file.finish();
}

function parse(source: string, lineCounter: LineCounter): YAMLMap {
  const refuse = (why: string): AppError => new AppError('invalid', `The file can not be read: ${why}`);
  // Nothing is ever looked up: what an alias stands for is not followed.
  const document = parseDocument(source, { lineCounter, logLevel: 'silent', prettyErrors: false, uniqueKeys: false });
  const [error] = document.errors;
  if (error) {
    const { line } = lineCounter.linePos(error.pos[0]);
    throw refuse(`line ${line}: ${error.message.replace(/\s+/g, ' ').slice(0, 200)}`);
  }
  if (!isMap(document.contents)) throw refuse('it is no list of an environment.');
  return document.contents as YAMLMap;
}

class EnvironmentFile {
  private readonly reader = new ListReader();
  private name = '';
  private hasPip = false;
  private pipAt: number | undefined;

  constructor(private readonly lineOf: (node: unknown) => number) {}

  take(key: Node, value: Node | null): void {
    const word = textOf(key);
    if (word === 'name') this.takeName(value);
    else if (word === 'channels') this.each(value, (node) => this.takeChannel(node));
    else if (word === 'dependencies') this.each(value, (node) => this.takeDependency(node));
    else this.leave(key, word, 'This part has no counterpart.');
  }

  finish(): ReadLists {
    const { reader, pipAt } = this;
    // What pip is to install into gets it by itself.
    if (this.hasPip && pipAt !== undefined) reader.packages.splice(pipAt, 1);
    const environments = [reader.toEnvironment(this.name)];
    return { baseImage: '', environments, startupCommands: [], leftOut: reader.leftOut };
  }

  private takeName(value: Node | null): void {
    const name = textOf(value).trim();
    if (isEnvironmentName(name)) this.name = name;
    else if (name !== '') this.leave(value, name, 'Environments can not be called that.');
  }

  private takeChannel(node: Node): void {
    const name = textOf(node).trim();
    // There are no defaults that it could take away.
    if (name === 'nodefaults') return;
    if (channelsSchema.safeParse([name]).success) this.reader.addChannel(name);
    else this.leave(node, name, 'Invalid channel.');
  }

  private takeDependency(node: Node): void {
    if (isMap(node)) {
      for (const { key, value } of node.items) {
        if (textOf(key) === 'pip') this.takePip(value as Node | null);
        else this.leave(key, textOf(key), 'Only pip may have a list of its own.');
      }
      return;
    }
    const text = textOf(node);
    const read = readCondaMatch(text);
    const { length } = this.reader.packages;
    this.reader.take(this.lineOf(node), text, read);
    if (typeof read === 'string' || this.reader.packages.length === length) return;
    if (read.name === 'pip' && read.channel === '' && read.version.constraint === 'unconstrained') this.pipAt = length;
    if (read.channel !== '') this.reader.addChannel(read.channel);
  }

  private takePip(value: Node | null): void {
    this.hasPip = true;
    this.each(value, (node) => {
      const text = textOf(node);
      const option = text.trim().startsWith('-');
      this.reader.take(this.lineOf(node), text, option ? 'Options of pip have no counterpart.' : readRequirement(text));
    });
  }

  private each(value: Node | null, take: (node: Node) => void): void {
    if (isSeq(value)) value.items.forEach((node) => (isNode(node) ? take(node) : undefined));
    else if (isNode(value) && textOf(value) !== '') this.leave(value, textOf(value), 'A list is expected here.');
  }

  private leave(node: unknown, text: string, reason: string): void {
    this.reader.leave(isNode(node) ? this.lineOf(node) : 1, text, reason);
  }
}

function isNode(node: unknown): node is Node {
  return isScalar(node) || isMap(node) || isSeq(node) || isAlias(node);
}

function textOf(node: unknown): string {
  if (isAlias(node)) return `*${node.source}`;
  if (!isScalar(node)) return '';
  const { source, value } = node;
  if (typeof value === 'string') return value;
  return value === null ? '' : (source ?? String(value));
}
