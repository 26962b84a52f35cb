import clsx from 'clsx';
import { memo } from 'react';
import { parseAnsi } from './ansi';
import type { LogLine } from './log-line';

const grounds = {
  error: 'bg-bad-soft shadow-[inset_2px_0_0_var(--color-bad)]',
  warn: 'bg-warn-soft shadow-[inset_2px_0_0_var(--color-warn)]',
  info: '',
  debug: '',
};
const words = { error: 'text-bad-text', warn: 'text-warn-text', info: 'text-accent-text', debug: 'text-text-3' };

interface LogRowProps {
  line: LogLine;
  isWrapped?: boolean;
  hasTime?: boolean;
  /** Whether there is a column for it: it stays empty while the number isn't known. */
  hasNumber?: boolean;
  number?: number | undefined;
  hasLevel?: boolean;
  /** Where the search hits; the text then loses its own colours. */
  marker?: RegExp | null;
  isCurrent?: boolean;
  /** Makes the number a way to link to the line. */
  onNumber?: ((number: number) => void) | undefined;
}

export const LogRow = memo(function LogRow({
  line,
  isWrapped,
  hasTime,
  hasNumber,
  number,
  hasLevel,
  marker,
  isCurrent,
  onNumber,
}: LogRowProps) {
  return (
    <div
      className={clsx(
        'text-small flex min-h-5 gap-3.5 pr-6 pl-3.5 font-mono leading-5 [font-variant-ligatures:none]',
        isWrapped ? 'break-all whitespace-pre-wrap' : 'whitespace-pre',
        isCurrent ? 'bg-accent-soft shadow-[inset_2px_0_0_var(--color-accent)]' : line.level && grounds[line.level],
      )}
    >
      {hasNumber && (
        <span className="text-text-3 min-w-[54px] shrink-0 text-right tabular-nums select-none max-lg:hidden">
          {onNumber && number !== undefined ? (
            // Left out of the keyboard's way: the hits are stepped to, and the toolbar links to the current one.
            <button
              type="button"
              tabIndex={-1}
              className="hover:text-accent-text hover:underline"
              onClick={() => onNumber(number)}
            >
              {number.toLocaleString('en')}
            </button>
          ) : (
            number?.toLocaleString('en')
          )}
        </span>
      )}
      {hasTime && line.atMs !== undefined && (
        <span className="text-text-3 shrink-0" title={line.stamp}>
          <span className="max-lg:hidden">{day(line.atMs)} </span>
          {clock(line.atMs)}
        </span>
      )}
      {hasLevel && (
        <span className={clsx('w-10 shrink-0 font-medium uppercase max-lg:hidden', line.level && words[line.level])}>
          {line.level}
        </span>
      )}
      <span
        className={clsx('min-w-0', line.level === 'error' && 'text-bad-text', line.level === 'debug' && 'text-text-3')}
      >
        {marker ? (
          <Marked text={line.plain} marker={marker} isCurrent={isCurrent === true} />
        ) : (
          <Coloured text={line.text} />
        )}
      </span>
    </div>
  );
});

function Coloured({ text }: { text: string }) {
  return parseAnsi(text).map((part, index) =>
    part.className || part.style ? (
      <span key={index} className={part.className} style={part.style}>
        {part.text}
      </span>
    ) : (
      part.text
    ),
  );
}

function Marked({ text, marker, isCurrent }: { text: string; marker: RegExp; isCurrent: boolean }) {
  const parts = [];
  let from = 0;
  for (const match of text.matchAll(marker)) {
    if (match[0] === '') break;
    if (match.index > from) parts.push(text.slice(from, match.index));
    from = match.index + match[0].length;
    parts.push(
      <mark
        key={match.index}
        className={clsx('rounded-[3px] py-px', isCurrent ? 'bg-hit-current text-on-hit' : 'bg-hit text-text')}
      >
        {match[0]}
      </mark>,
    );
  }
  parts.push(text.slice(from));
  return parts;
}

/** The date in the viewer's zone, without the year. */
function day(ms: number): string {
  const date = new Date(ms);
  return `${String(date.getMonth() + 1).padStart(2, '0')}-${String(date.getDate()).padStart(2, '0')}`;
}

/** Time of day in the viewer's zone, to the millisecond. */
function clock(ms: number): string {
  const date = new Date(ms);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}
