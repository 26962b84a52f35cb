/** Height and width of a chart's own units; it is stretched to the room that it has. */
export const CHART = { width: 300, height: 56 };

export interface ChartFrame {
  /** Seconds since the Unix epoch. */
  from: number;
  to: number;
  /** What the top stands for. */
  top: number;
  stepSeconds: number;
  /** The line is broken where two values are further apart than so many steps. */
  gapSteps: number;
}

/** The line of values over time as an SVG path. A value below 0 is one that nobody knows, a gap. */
export function linePath(at: readonly number[], values: readonly number[], frame: ChartFrame): string {
  const points = pointsOf(at, values, frame);
  return points
    .map(({ x, y, isNew }, index) => {
      if (!isNew) return `L${x} ${y}`;
      // One that stands alone is a dot.
      return points[index + 1]?.isNew === false ? `M${x} ${y}` : `M${x} ${y}h0`;
    })
    .join('');
}

/** The same, closed along the ground. */
export function areaPath(at: readonly number[], values: readonly number[], frame: ChartFrame): string {
  const points = pointsOf(at, values, frame);
  return points
    .map(({ x, y, isNew }, index) => {
      const isLast = index === points.length - 1 || points[index + 1]!.isNew;
      const begin = isNew ? `M${x} ${CHART.height}L${x} ${y}` : `L${x} ${y}`;
      return isLast ? `${begin}L${x} ${CHART.height}Z` : begin;
    })
    .join('');
}

function pointsOf(at: readonly number[], values: readonly number[], frame: ChartFrame) {
  const { from, to, top, stepSeconds, gapSteps } = frame;
  return at.flatMap((time, index) => {
    const value = values[index] ?? 0;
    if (value < 0) return [];
    const isAfterGap = (values[index - 1] ?? 0) < 0 || time - at[index - 1]! > stepSeconds * gapSteps;
    return {
      x: round(((time - from) / Math.max(1, to - from)) * CHART.width),
      y: round(CHART.height - (Math.min(value, top) / top) * CHART.height),
      isNew: index === 0 || isAfterGap,
    };
  });
}

const round = (value: number): number => Math.round(value * 10) / 10;

const STEPS = [1, 2, 2.5, 5, 10];

/** The next round number, in tens or, for bytes, in steps of 1024. */
export function roundUp(value: number, base: 10 | 1024 = 10): number {
  if (value <= 0) return base === 10 ? 0.1 : 1024;
  const unit = base === 10 ? 1 : 1024 ** Math.max(0, Math.floor(Math.log(value) / Math.log(1024)));
  const scaled = value / unit;
  const power = 10 ** Math.floor(Math.log10(scaled));
  return (STEPS.find((step) => step * power >= scaled) ?? 10) * power * unit;
}
