/** How the first process of a terminal says which one it is, so that all of its session can be ended later. */

const MARK_BEGIN = '\u001b]7700;';
const MARK_END = '\u0007';
/** A mark is shorter; output without one in so many bytes has none. */
const MARK_MAX_BYTES = 1024;

/** Lines of any POSIX shell that print the mark of their process; `program` is what it becomes then, in the shell's words. */
export function sayMark(program: string): string[] {
  return [`IFS= read -r s </proc/$$/stat`, `printf '\\033]7700;%s;%s;%s\\007' "$$" "${program}" "\${s##*) }"`];
}

export interface TerminalMark {
  program: string;
  /** `leader started`, as the signal script takes them. */
  mark: string;
}

const STARTED_FIELD = 19;

/** Finds the mark at the beginning of what a terminal prints. Undefined while it may still come. */
export function readMark(bytes: Buffer): { found: TerminalMark | undefined; rest: Buffer } | undefined {
  const begin = Buffer.from(MARK_BEGIN);
  const head = bytes.subarray(0, begin.length);
  if (!begin.subarray(0, head.length).equals(head)) return { found: undefined, rest: bytes };
  const end = bytes.indexOf(MARK_END);
  if (end < 0) return bytes.length > MARK_MAX_BYTES ? { found: undefined, rest: bytes } : undefined;
  const [leader = '', program = '', stat = ''] = bytes.toString('utf8', begin.length, end).split(';');
  const started = stat.split(' ')[STARTED_FIELD] ?? '';
  const mark = /^\d+$/.test(leader) && /^\d+$/.test(started) ? `${leader} ${started}` : '';
  return { found: { program, mark }, rest: bytes.subarray(end + MARK_END.length) };
}
