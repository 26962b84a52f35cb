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
    // Pieces are joined once: a file may be one instruction of very many lines.
    const pieces = [lines[at]!.trim()];
    while (pieces.at(-1)!.endsWith(escape)) {
      at += 1;
      while (at < lines.length && isSkipped(lines[at]!)) at += 1;
      pieces.push(pieces.pop()!.slice(0, -1).trimEnd());
      if (at >= lines.length) break;
      pieces.push(lines[at]!.trim());
    }
    const text = pieces.join(' ').trim();
    const match = /^(\S+)\s*([\s\S]*)$/.exec(text);
    if (!match) continue;
    const instruction = { line, word: match[1]!.toUpperCase(), rest: match[2]!.trim() };
    const end = skipHereDocuments({ lines, lastLines }, at, instruction);
    if (end === undefined) return { line, message: `Line ${line}: the here-document has no end.` };
    at = end;
    instructions.push(instruction);
  }
  return instructions;
}

function isSkipped(line: string): boolean {
  const text = line.trim();
  return text === '' || text.startsWith('#');
}

/** A backslash, unless a parser directive at the top says otherwise. */
function escapeOf(lines: readonly string[]): string {
  for (const line of lines) {
    const directive = /^#\s*(\w+)\s*=\s*(\S+)\s*$/.exec(line.trim());
    if (!directive) return '\\';
    if (directive[1]!.toLowerCase() === 'escape' && directive[2] === '`') return '`';
  }
  return '\\';
}

interface Source {
  lines: readonly string[];
  /** The last line of each text, with and without leading tabs: an end that is not ahead is not looked for. */
  lastLines: ReadonlyMap<string, number>;
}

function skipHereDocuments({ lines, lastLines }: Source, at: number, { word, rest }: Instruction): number | undefined {
  if (word !== 'RUN' && word !== 'COPY' && word !== 'ADD') return at;
  let end = at;
  for (const [, dash, name] of rest.matchAll(/(?<!<)<<(-?)["']?([A-Za-z_]\w*)["']?/g)) {
    let next = (lastLines.get(name!) ?? -1) > end ? end + 1 : lines.length;
    while (next < lines.length && (dash ? lines[next]!.replace(/^\t+/, '') : lines[next]) !== name) next += 1;
    if (next >= lines.length) return word === 'RUN' && end === at ? at : undefined;
    end = next;
  }
  return end;
}
