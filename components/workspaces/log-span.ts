export const LOG_SPANS = ['all', '15m', '1h', '24h'] as const;
export type LogSpan = (typeof LOG_SPANS)[number];

const MINUTES: Record<LogSpan, number> = { all: 0, '15m': 15, '1h': 60, '24h': 24 * 60 };

/** Where a span ending now begins, as an ISO date; nothing for all. */
export function spanStart(span: LogSpan): string | undefined {
  return span === 'all' ? undefined : new Date(Date.now() - MINUTES[span] * 60_000).toISOString();
}
