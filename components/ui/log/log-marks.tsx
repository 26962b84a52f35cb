import { memo } from 'react';
import { findPlace, type LogLine } from './log-line';

/** Marks are no nearer to one another than this part of the log's height. */
const STEPS = 300;

interface LogMarksProps {
  lines: readonly LogLine[];
  /** Places (`seq`) of the hits, in order. */
  hits: readonly number[];
}

/** Where in the log the hits are, beside its scroll bar. */
export const LogMarks = memo(function LogMarks({ lines, hits }: LogMarksProps) {
  // Where hits alone are shown, they are everywhere.
  if (hits.length === 0 || hits.length >= lines.length) return null;
  return (
    <div aria-hidden="true" data-log-marks="" className="pointer-events-none absolute inset-y-1.5 right-0 z-10 w-2.5">
      {stepsOf(lines, hits).map((step) => (
        <span
          key={step}
          className="bg-accent absolute right-px h-[2px] w-2 rounded-full"
          style={{ top: `${(step / STEPS) * 100}%` }}
        />
      ))}
    </div>
  );
});

/** Steps of the log's height at which there are hits, each once. */
export function stepsOf(lines: readonly LogLine[], hits: readonly number[]): number[] {
  const steps = new Set<number>();
  for (const hit of hits) {
    const place = findPlace(lines, hit);
    if (place >= 0) steps.add(Math.floor((place / lines.length) * STEPS));
  }
  return [...steps];
}
