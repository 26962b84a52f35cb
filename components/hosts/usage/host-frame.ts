import type { HostMetrics, HostMetricSpan } from '@/components/data/types';
import type { ChartFrame } from '@/components/records/usage/chart-path';

const SECONDS: Record<HostMetricSpan, number> = { recent: 600, day: 86_400, month: 30 * 86_400 };
/** What is summed up stands at whole steps: one that is missing is seen. What was measured comes a little early or late. */
const GAP_STEPS: Record<HostMetricSpan, number> = { recent: 3, day: 1.5, month: 1.5 };

/** What a chart of a host stands in, up to its newest value. */
export function hostFrame({ at, stepSeconds }: HostMetrics, span: HostMetricSpan, top: number): ChartFrame {
  const to = at.at(-1) ?? 0;
  return { from: to - SECONDS[span], to, top, stepSeconds, gapSteps: GAP_STEPS[span] };
}
