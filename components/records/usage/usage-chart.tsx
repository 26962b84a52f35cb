import { areaPath, CHART, linePath, type ChartFrame } from './chart-path';

interface UsageChartProps {
  title: string;
  /** The newest value in words. */
  now: string;
  /** All of it in a sentence, for who does not see it. */
  summary: string;
  /** What the top stands for, in words. */
  top: string;
  at: readonly number[];
  /** The first is drawn as an area, a second one as a line. */
  lines: readonly (readonly number[])[];
  frame: ChartFrame;
}

/** Values over time. */
export function UsageChart({ title, now, summary, top, at, lines, frame }: UsageChartProps) {
  const [first = [], second] = lines;
  return (
    <figure className="min-w-0">
      <figcaption className="flex items-baseline justify-between gap-2">
        <span className="text-small text-text-3">{title}</span>
        <span className="text-table font-medium tabular-nums">{now}</span>
      </figcaption>
      <div className="relative mt-1.5">
        <svg
          role="img"
          aria-label={summary}
          viewBox={`0 0 ${CHART.width} ${CHART.height}`}
          preserveAspectRatio="none"
          className="border-line block h-14 w-full overflow-visible border-b"
        >
          <path d={areaPath(at, first, frame)} className="fill-accent-soft" />
          <path
            d={linePath(at, first, frame)}
            className="stroke-accent fill-none"
            strokeWidth="1.5"
            strokeLinecap="round"
            vectorEffect="non-scaling-stroke"
          />
          {second && (
            <path
              d={linePath(at, second, frame)}
              className="stroke-text-3 fill-none"
              strokeWidth="1.5"
              strokeDasharray="3 3"
              vectorEffect="non-scaling-stroke"
            />
          )}
        </svg>
        <span aria-hidden="true" className="text-micro text-text-3 absolute top-0 left-0 tabular-nums">
          {top}
        </span>
      </div>
    </figure>
  );
}
