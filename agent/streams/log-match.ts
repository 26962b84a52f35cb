import vm from 'node:vm';
import type { LogLevelWord, OpenLogSearch } from '../../lib/protocol/streams';
import { EngineError } from '../engines/engine-error';

type Query = Pick<OpenLogSearch, 'pattern' | 'isRegex' | 'isCaseSensitive' | 'isInverted' | 'levels'>;

/** How long a pattern may think about one batch of lines. */
const PATIENCE_MS = 100;
const TRIES = 3;
const LEVEL_CHARS = 80;

/** The same words as in the browser's viewer, which a test compares. */
const LEVEL_PATTERNS: Record<LogLevelWord, RegExp> = {
  error: /\b(?:error|err|fatal|critical|panic|exception|traceback)\b/i,
  warn: /\bwarn(?:ing)?\b/i,
  debug: /\b(?:debug|trace)\b/i,
  info: /\b(?:info|notice)\b/i,
};
/** The first that fits counts. */
const LEVEL_ORDER = ['error', 'warn', 'debug', 'info'] as const;
const SEQUENCES =
  /\u001b(?:\[[0-9;?]*[ -/]*(?![m])[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\^_])|\u001b\[[0-9;]*m/g;

/** A line as it is read: without terminal sequences, of a progress line the last state. */
export function readableText(message: string): string {
  const trimmed = message.replace(/\r$/, '');
  const text = trimmed.includes('\r') ? trimmed.slice(trimmed.lastIndexOf('\r') + 1) : trimmed;
  return text.includes('\u001b') ? text.replace(SEQUENCES, '') : text;
}

/**
 * Tells which of some lines match a query. A user's pattern may take forever on a line, so it runs under a watch: throws
 * when it takes too long, and when it can't be read.
 */
export function createMatcher(query: Query): (lines: string[]) => boolean[] {
  const matchText = createTextMatcher(query);
  const { levels } = query;
  return (messages) => {
    const lines = messages.map(readableText);
    const texts = matchText(lines);
    return lines.map((line, index) => {
      if (levels.length > 0 && !levels.includes(levelOf(line) as LogLevelWord)) return false;
      return texts[index] !== query.isInverted;
    });
  };
}

function levelOf(line: string): LogLevelWord | undefined {
  const start = line.slice(0, LEVEL_CHARS);
  return LEVEL_ORDER.find((level) => LEVEL_PATTERNS[level].test(start));
}

function createTextMatcher({ pattern, isRegex, isCaseSensitive, isInverted }: Query): (lines: string[]) => boolean[] {
  // Without a pattern nothing is left out, inverted or not.
  if (pattern === '') return (lines) => lines.map(() => !isInverted);
  if (!isRegex) {
    const wanted = isCaseSensitive ? pattern : pattern.toLowerCase();
    return (lines) => lines.map((line) => (isCaseSensitive ? line : line.toLowerCase()).includes(wanted));
  }
  const context = vm.createContext({ pattern, flags: isCaseSensitive ? '' : 'i', lines: [], found: [] });
  try {
    vm.runInContext('regex = new RegExp(pattern, flags)', context);
  } catch {
    throw new EngineError('invalid', `${pattern} is no regular expression.`);
  }
  const script = new vm.Script('found = lines.map((line) => regex.test(line))');
  return (lines) => {
    context.lines = lines;
    for (let tries = 1; ; tries += 1) {
      try {
        script.runInContext(context, { timeout: PATIENCE_MS });
        return context.found as boolean[];
      } catch (cause) {
        // A machine that is busy may have held up a good one.
        if (tries < TRIES) continue;
        throw new EngineError('invalid', 'This expression takes too long on this log. Make it simpler.', { cause });
      }
    }
  };
}
