import { sayMark } from '../../terminal-mark';

/** Scripts that run in containers: of any POSIX shell, and with nothing but what a shell has built in. */

/**
 * Says which process it is, then becomes the command, or the best shell of the image. `$1` is the command. Where the
 * image says nothing of languages, text is UTF-8.
 */
export const START_SCRIPT = [
  `[ -n "$LC_ALL$LANG" ] || export LANG=C.UTF-8`,
  `p=sh`,
  `for c in bash ash; do if command -v $c >/dev/null 2>&1; then p=$c; break; fi; done`,
  ...sayMark('$p'),
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
