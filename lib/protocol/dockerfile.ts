/** What is wrong with a Dockerfile, and on which line (from 1). */
export interface DockerfileProblem {
  line: number;
  message: string;
}

/** One instruction: the line that it begins on (from 1), its word in upper case, and what follows. */
export interface Instruction {
  line: number;
  word: string;
  rest: string;
  /** Lines of the here-documents that follow it, their ends among them, as they stand. */
  body: string[];
}

/**
 * The instructions of a Dockerfile, continued lines joined, comments and blank lines left out, here-documents skipped over; or
 * what is wrong where they can't be told. Linear in the text, whatever is in it: it runs on what strangers send.
 */
export function readInstructions(source: string): Instruction[] | DockerfileProblem {
  const lines = source.replace(/^\uFEFF/, '').split(/\r?\n/);
  const escape = escapeOf(lines);
  const lastLines = new Map(
    lines.flatMap(
      (text, index) =>
        [
          [text, index],
          [text.replace(/^\t+/, ''), index],
        ] as const,
    ),
  );
  const instructions: Instruction[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    if (isSkipped(lines[at]!)) continue;
    const line = at + 1;
    // Pieces are joined once: a file may be one instruction of very many lines. As builders do, with nothing in between.
    const pieces = [lines[at]!.trimStart()];
    while (pieces.at(-1)!.trimEnd().endsWith(escape)) {
      at += 1;
      while (at < lines.length && isSkipped(lines[at]!)) at += 1;
      pieces.push(pieces.pop()!.trimEnd().slice(0, -1));
      if (at >= lines.length) break;
      pieces.push(lines[at]!);
    }
    const text = pieces.join('').trim();
    const match = /^(\S+)\s*([\s\S]*)$/.exec(text);
    if (!match) continue;
    const instruction = { line, word: match[1]!.toUpperCase(), rest: match[2]!.trim(), body: [] as string[] };
    const end = skipHereDocuments({ lines, lastLines }, at, instruction);
    if (typeof end === 'string') return { line, message: `Line ${line}: ${end}` };
    instruction.body = lines.slice(at + 1, end + 1);
    at = end;
    instructions.push(instruction);
  }
  return instructions;
}

function isSkipped(line: string): boolean {
  const text = line.trim();
  return text === '' || text.startsWith('#');
}

/** What escapes in a Dockerfile: a backslash, unless a parser directive at the top says otherwise. */
function escapeOf(lines: readonly string[]): string {
  return readDirectives(lines).get('escape') === '`' ? '`' : '\\';
}

/** The parser directives at the top, as in `# syntax=…`, by name in lower case. */
export function readDirectives(lines: readonly string[]): Map<string, string> {
  const directives = new Map<string, string>();
  for (const line of lines) {
    const directive = /^#\s*(\w+)\s*=\s*(\S+)\s*$/.exec(line.trim());
    if (!directive) break;
    directives.set(directive[1]!.toLowerCase(), directive[2]!);
  }
  return directives;
}

interface Source {
  lines: readonly string[];
  /** The last line of each text, with and without leading tabs: an end that is not ahead is not looked for. */
  lastLines: ReadonlyMap<string, number>;
}

/** The last line that belongs to the instruction, or what is wrong with its here-documents. */
function skipHereDocuments({ lines, lastLines }: Source, at: number, { word, rest }: Instruction): number | string {
  if (word !== 'RUN' && word !== 'COPY' && word !== 'ADD') return at;
  let end = at;
  for (const { name, dash } of listHereDocuments(rest)) {
    let next = (lastLines.get(name) ?? -1) > end ? end + 1 : lines.length;
    while (next < lines.length && (dash ? lines[next]!.replace(/^\t+/, '') : lines[next]) !== name) next += 1;
    if (next >= lines.length) return word === 'RUN' && end === at ? at : 'the here-document has no end.';
    end = next;
  }
  return end;
}

/**
 * The here-documents that an instruction begins. Only what every builder takes for one: a word of its own, outside of quotes
 * and with nothing escaped before it. What is skipped here is never looked at.
 */
function listHereDocuments(rest: string): { name: string; dash: boolean }[] {
  const found: { name: string; dash: boolean }[] = [];
  if (!rest.includes('<<') || rest.replace(/^(--\S+\s+)*/, '').startsWith('[')) return found;
  let quote = '';
  let isWordStart = true;
  for (let at = 0; at < rest.length; at += 1) {
    const char = rest[at]!;
    if (quote !== '') {
      if (char === quote) quote = '';
      else if (char === '\\' || char === '`' || char === '$') return found;
      continue;
    }
    if (char === '\\' || char === '`' || (char === '$' && rest[at + 1] === '{')) return found;
    const match =
      isWordStart && char === '<' ? /^<<(-?)(["']?)([A-Za-z_]\w*)\2(?=\s|$)/.exec(rest.slice(at, at + 200)) : null;
    if (match) {
      found.push({ name: match[3]!, dash: match[1] === '-' });
      at += match[0].length - 1;
    } else if (char === '"' || char === "'") quote = char;
    isWordStart = char <= ' ' || /\s/.test(char);
  }
  return found;
}
