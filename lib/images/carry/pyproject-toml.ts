import { parse, TomlError } from 'smol-toml';
import { AppError } from '@/lib/errors';
import { readPoetryVersion } from './poetry-version';
import { readRequirement, toPackage } from './python-requirement';
import { ListReader, type ListPackage, type ReadLists } from './read-list';

type Table = Record<string, unknown>;

/** A project's own file: what it depends on. Throws `invalid` where it is none. */
export function readPyproject(source: string): ReadLists {
  const file = new ProjectFile(source, parseToml(source));
  return file.read();
}

function parseToml(source: string): Table {
  try {
    return parse(source) as Table;
  } catch (error) {
    const where = error instanceof TomlError ? `line ${error.line}: ` : '';
    const why = error instanceof TomlError ? firstLine(error.message) : 'it is nested too deeply.';
    throw new AppError('invalid', `The file can not be read: ${where}${why}`, { cause: error });
  }
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]!.replace(/^Invalid TOML document: /, '');
}

class ProjectFile {
  private readonly reader = new ListReader();
  private readonly lines: string[];
  private readonly keyLines: Map<string, number[]>;

  constructor(
    source: string,
    private readonly root: Table,
  ) {
    this.lines = source.split(/\r?\n/);
    this.keyLines = keyLinesOf(this.lines);
  }

  read(): ReadLists {
    const project = tableOf(this.root.project);
    const poetry = tableOf(tableOf(this.root.tool).poetry);
    this.takeProject(project);
    this.takePoetry(poetry);
    this.leaveGroups(tableOf(this.root['dependency-groups']), 'dependency-groups');
    const { leftOut } = this.reader;
    leftOut.sort((a, b) => a.line - b.line);
    return { baseImage: '', environments: [this.reader.toEnvironment('')], startupCommands: [], leftOut };
  }

  private takeProject(project: Table): void {
    if (typeof project.name === 'string') this.leaveKey('name', `name = "${project.name}"`, NOT_THE_PROJECT);
    if (typeof project['requires-python'] === 'string') {
      const text = `requires-python = "${project['requires-python']}"`;
      this.leaveKey('requires-python', text, NO_PYTHON);
    }
    let from = this.lineOfKey('dependencies');
    for (const each of listOf(project.dependencies)) {
      if (typeof each !== 'string') continue;
      from = this.lineOfText(each, from);
      this.reader.take(from, each, readRequirement(each));
    }
    this.leaveGroups(tableOf(project['optional-dependencies']), 'project.optional-dependencies');
  }

  private takePoetry(poetry: Table): void {
    if (typeof poetry.name === 'string') this.leaveKey('name', `name = "${poetry.name}"`, NOT_THE_PROJECT);
    for (const [name, bound] of Object.entries(tableOf(poetry.dependencies))) {
      const line = this.lineOfKey(name, this.lineOfHeader('tool.poetry.dependencies'));
      const text = `${name} = ${JSON.stringify(bound)}`;
      if (name.toLowerCase() === 'python') this.reader.leave(line, text, NO_PYTHON);
      else this.reader.take(line, text, readPoetry(name, bound));
    }
    for (const [name, group] of Object.entries(tableOf(poetry.group))) {
      this.leaveGroup(
        `tool.poetry.group.${name}.dependencies`,
        Object.keys(tableOf(tableOf(group).dependencies)).length,
      );
    }
  }

  private leaveGroups(groups: Table, header: string): void {
    for (const [name, list] of Object.entries(groups)) {
      const line = this.lineOfKey(name, this.lineOfHeader(header));
      const count = listOf(list).length;
      this.reader.leave(line, name, describeGroup(count));
    }
  }

  private leaveGroup(header: string, count: number): void {
    this.reader.leave(this.lineOfHeader(header), header, describeGroup(count));
  }

  private leaveKey(key: string, text: string, reason: string): void {
    this.reader.leave(this.lineOfKey(key), text, reason);
  }

  private lineOfHeader(header: string): number {
    return Math.max(1, this.lines.findIndex((line) => line.trim().startsWith(`[${header}]`)) + 1);
  }

  /** Where a key is set, at or after a line; the line itself where it can't be found. */
  private lineOfKey(key: string, from = 1): number {
    return this.keyLines.get(key)?.find((line) => line >= from) ?? from;
  }

  private lineOfText(text: string, from: number): number {
    for (let line = from; line <= this.lines.length; line += 1) if (this.lines[line - 1]!.includes(text)) return line;
    return from;
  }
}

/** The lines that set each key, as far as a look at the lines tells. */
function keyLinesOf(lines: readonly string[]): Map<string, number[]> {
  const found = new Map<string, number[]>();
  lines.forEach((text, index) => {
    const at = text.indexOf('=');
    if (at < 0) return;
    const key = text
      .slice(0, at)
      .trim()
      .replace(/^["']|["']$/g, '');
    found.set(key, [...(found.get(key) ?? []), index + 1]);
  });
  return found;
}

const NOT_THE_PROJECT = 'The project itself is not installed. Add its files, or its package.';
const NO_PYTHON = 'The Python of the base is used. To choose one, add python from conda.';

function describeGroup(count: number): string {
  return `A group is not taken (${count === 1 ? '1 package' : `${count} packages`}).`;
}

function readPoetry(name: string, bound: unknown): ListPackage | string {
  const table = typeof bound === 'string' ? { version: bound } : tableOf(bound);
  const { version, extras, ...others } = table as Table;
  delete others.optional;
  if (['path', 'git', 'url', 'file'].some((key) => key in others)) {
    return 'It comes from an address or a folder. Packages come from the index alone.';
  }
  if (table.optional === true) return 'It is optional.';
  if (Object.keys(others).length > 0)
    return `It holds only with ${Object.keys(others).join(', ')}, which an image can't say.`;
  const read = typeof version === 'string' ? readPoetryVersion(version) : undefined;
  if (!read) return 'Its version can not be read.';
  const names = listOf(extras).filter((extra) => typeof extra === 'string');
  const named = names.length > 0 ? `${name}[${names.join(',')}]` : name;
  return toPackage({ manager: 'pypi', channel: '', name: named, version: read });
}

function tableOf(value: unknown): Table {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Table) : {};
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
