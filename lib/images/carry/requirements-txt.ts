import { readRequirement } from './python-requirement';
import { ListReader, type ReadLists } from './read-list';

const INDEX = /^(?:-i|--index-url|--extra-index-url|--no-index|-f|--find-links|--trusted-host|--pre|--prefer-binary)\b/;
const INCLUDE = /^(?:-r|--requirement|-c|--constraint)/;

/** The list that pip reads: its packages, and each line that an image can't hold. */
export function readRequirementsTxt(source: string): ReadLists {
  const reader = new ListReader();
  for (const { line, text } of joinLines(source)) takeLine(reader, line, text);
  return {
    baseImage: '',
    environments: [reader.toEnvironment('')],
    startupCommands: [],
    leftOut: reader.leftOut,
  };
}

function takeLine(reader: ListReader, line: number, text: string): void {
  if (text.startsWith('-')) return reader.leave(line, text, describeOption(text));
  const [requirement = '', ...options] = text.replace(/\s+/g, ' ').split(/ (?=--?[a-z])/);
  reader.take(line, requirement, readRequirement(requirement));
  const hashes = options.filter((option) => option.startsWith('--hash'));
  if (hashes.length > 0) reader.leave(line, hashes.join(' '), 'The package is taken, its hashes are not compared.');
  const others = options.filter((option) => !option.startsWith('--hash'));
  if (others.length > 0) reader.leave(line, others.join(' '), 'The package is taken without these options.');
}

function describeOption(text: string): string {
  if (INCLUDE.test(text)) return 'Another file is named here. Import it by itself.';
  if (/^(?:-e|--editable)/.test(text))
    return 'It comes from a folder that is worked in. Packages come from the index alone.';
  if (INDEX.test(text)) return 'Where packages come from is set for the whole console.';
  return 'This option has no counterpart.';
}

/** Lines with those that continue them, without comments and blanks; each with the number that it begins at. */
function joinLines(source: string): { line: number; text: string }[] {
  const joined: { line: number; text: string }[] = [];
  const lines = source.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  for (let at = 0; at < lines.length; at += 1) {
    const line = at + 1;
    const pieces = [lines[at]!];
    while (pieces.at(-1)!.endsWith('\\') && !isComment(pieces.at(-1)!) && at + 1 < lines.length) {
      pieces.push(pieces.pop()!.slice(0, -1));
      pieces.push(lines[(at += 1)]!);
    }
    const text = pieces
      .join('')
      .replace(/(^|\s)#.*$/s, '')
      .trim();
    if (text !== '') joined.push({ line, text });
  }
  return joined;
}

function isComment(line: string): boolean {
  return line.trimStart().startsWith('#');
}
