import { limits } from '@/lib/vocabulary/limits';

export interface DotEnvEntry {
  name: string;
  value: string;
}

const NAME = /^\s*(?:export\s+)?([A-Za-z_][A-Za-z0-9_]*)\s*=[ \t]*/;

/**
 * Reads a .env text: `NAME=value` a line, `export` allowed, `#` begins a comment, quoted values may go over several lines;
 * within double quotes `\n`, `\r`, `\t`, `\"` and `\\` are what they stand for. Answers the first line, from 1, that is none of
 * these. (The usual libraries pass over such lines, and need a file system.)
 */
export function parseDotEnv(text: string): { entries: DotEnvEntry[] } | { wrongLine: number } {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const entries: DotEnvEntry[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at]!;
    if (line.trim() === '' || line.trimStart().startsWith('#')) continue;
    const match = NAME.exec(line);
    if (!match) return { wrongLine: at + 1 };
    const rest = line.slice(match[0].length);
    const quote = rest[0] === '"' || rest[0] === "'" ? rest[0] : '';
    const read = quote ? readQuoted(lines, { at, rest: rest.slice(1), quote }) : { value: plain(rest), at };
    if (!read) return { wrongLine: at + 1 };
    entries.push({ name: match[1]!, value: read.value });
    at = read.at;
  }
  return { entries };
}

function plain(rest: string): string {
  return rest.replace(/(?:^|\s)#.*$/, '').trim();
}

/** The value up to its closing quote, after which only a comment may stand; undefined without one. */
function readQuoted(
  lines: readonly string[],
  { at, rest, quote }: { at: number; rest: string; quote: string },
): { value: string; at: number } | undefined {
  const end = quote === '"' ? /^((?:[^"\\]|\\.)*)"(.*)$/ : /^([^']*)'(.*)$/;
  const pieces: string[] = [];
  for (let line = at; line < lines.length; line += 1) {
    const piece = line === at ? rest : lines[line]!;
    const closed = end.exec(piece);
    if (!closed) {
      pieces.push(piece);
      continue;
    }
    if (!/^\s*(?:#.*)?$/.test(closed[2]!)) return undefined;
    const value = [...pieces, closed[1]!].join('\n');
    return { value: quote === '"' ? unescape(value) : value, at: line };
  }
  return undefined;
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\' };

function unescape(value: string): string {
  return value.replace(/\\(.)/g, (whole, letter: string) => ESCAPES[letter] ?? whole);
}

/** The text of a chosen file, or why it is none: it is looked at by its size before it is read. */
export async function readDotEnvFile(file: Blob): Promise<{ text: string } | { refusal: 'tooLong' | 'notText' }> {
  if (file.size > limits.dotEnvBytes) return { refusal: 'tooLong' };
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
    return text.includes('\u0000') ? { refusal: 'notText' } : { text };
  } catch {
    return { refusal: 'notText' };
  }
}
