/** Scripts that run in containers: of any POSIX shell, and with nothing but what a shell has built in. */

const MARK_BEGIN = '\u001b]7700;';
const MARK_END = '\u0007';
/** A mark is shorter; output without one in so many bytes has none. */
const MARK_MAX_BYTES = 1024;

/**
 * Says which process it is, then becomes the command, or the best shell of the image. `$1` is the command. Where the
 * image says nothing of languages, text is UTF-8.
 */
export const START_SCRIPT = [
  `[ -n "$LC_ALL$LANG" ] || export LANG=C.UTF-8`,
  `IFS= read -r s </proc/$$/stat`,
  `p=sh`,
  `for c in bash ash; do if command -v $c >/dev/null 2>&1; then p=$c; break; fi; done`,
  `printf '\\033]7700;%s;%s;%s\\007' "$$" "$p" "\${s##*) }"`,
  `if [ -n "$1" ]; then exec "$p" -c "$1"; fi`,
  `exec "$p"`,
].join('\n');

/**
 * Signals every process of a terminal's session: `$1` its leader, `$2` when that was started, `$3` the signal. Another
 * process that has the leader's number by now is left alone, and so is what has a session of its own. Exits with 10 when
 * there was something to signal.
 */
export const SIGNAL_SCRIPT = [
  `exec 2>/dev/null`,
  `s=$1 t=$2 g=$3 n=0`,
  `if IFS= read -r l </proc/$s/stat; then set -- \${l##*) }; shift 19; [ "$1" = "$t" ] || exit 0; fi`,
  `for d in /proc/[0-9]*; do`,
  `IFS= read -r l <$d/stat || continue`,
  `set -- \${l##*) }`,
  `[ "$1" != Z ] && [ "$4" = "$s" ] && kill -s $g \${d#/proc/} && n=10`,
  `done`,
  `exit $n`,
].join('\n');
export const SIGNALLED = 10;

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
