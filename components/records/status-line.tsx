import clsx from 'clsx';
import type { ReactNode } from 'react';
import { Glyph, type GlyphKind } from '@/components/ui/glyph';

interface StatusLineProps {
  kind: GlyphKind;
  word: string;
  /** Age or progress, grey. */
  detail?: ReactNode;
  /** What the detail hides when it is cut. */
  title?: string;
}

/** Shape, word and age of a status on one line. */
export function StatusLine({ kind, word, detail, title }: StatusLineProps) {
  return (
    <span
      className="text-table inline-flex max-w-full min-w-0 items-center gap-[7px] align-middle whitespace-nowrap"
      title={title}
    >
      <Glyph kind={kind} />
      <span
        className={clsx(
          'font-medium',
          kind === 'bad' ? 'text-bad-text' : kind === 'off' || kind === 'stale' ? 'text-text-2' : 'text-text',
        )}
      >
        {word}
      </span>
      {detail && (
        <>
          <span aria-hidden="true" className="text-line-control -mx-0.5">
            ·
          </span>
          <span className={clsx('truncate', kind === 'stale' ? 'text-warn-text' : 'text-text-3')}>{detail}</span>
        </>
      )}
    </span>
  );
}
