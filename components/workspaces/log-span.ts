export const LOG_SPANS = ['all', '15m', '1h', '24h', 'range'] as const;
export type LogSpan = (typeof LOG_SPANS)[number];

const MINUTES: Partial<Record<LogSpan, number>> = { '15m': 15, '1h': 60, '24h': 24 * 60 };

/** A stretch of time as ISO dates; what is left out has no bound. */
export interface LogStretch {
  since?: string | undefined;
  until?: string | undefined;
}

/** What of the log is asked for: a span that ends now, or from one moment to another, either of which may be empty. */
export function stretchOf({ span, from, to }: { span: LogSpan; from: string; to: string }): LogStretch {
  if (span === 'range') return { since: from || undefined, until: to || undefined };
  const minutes = MINUTES[span];
  return minutes === undefined ? {} : { since: new Date(Date.now() - minutes * 60_000).toISOString() };
}

/** A date as `datetime-local` has it, in the viewer's own time; empty for none. */
export function toLocalText(iso: string): string {
  if (iso === '') return '';
  const date = new Date(iso);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
}

/** The date that a `datetime-local` means; empty when it is none. */
export function toIso(localText: string): string {
  const date = new Date(localText);
  return localText === '' || Number.isNaN(date.getTime()) ? '' : date.toISOString();
}
