/** One number, with the labels that tell it from its siblings. */
export interface Sample {
  labels?: Readonly<Record<string, string>>;
  value: number;
  /** What follows the family's name: `_bucket`, `_sum`, `_count`. */
  suffix?: string;
}

export interface Family {
  name: string;
  help: string;
  type: 'gauge' | 'counter' | 'histogram';
  samples: readonly Sample[];
}

/** Of the format `text/plain; version=0.0.4`. */
export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

function escapeLabel(value: string): string {
  return value.replace(/\\/g, '\\\\').replace(/"/g, '\\"').replace(/\n/g, '\\n');
}

function numberOf(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  return String(value);
}

function lineOf(name: string, { labels = {}, value, suffix = '' }: Sample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escapeLabel(text)}"`);
  return `${name}${suffix}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${numberOf(value)}`;
}

/** The families as Prometheus reads them. */
export function writeMetrics(families: readonly Family[]): string {
  const lines = families.flatMap(({ name, help, type, samples }) => [
    `# HELP ${name} ${help.replace(/\\/g, '\\\\').replace(/\n/g, '\\n')}`,
    `# TYPE ${name} ${type}`,
    ...samples.map((sample) => lineOf(name, sample)),
  ]);
  return `${lines.join('\n')}\n`;
}
