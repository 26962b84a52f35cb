import 'server-only';
import { singleton } from '@/lib/singleton';
import type { Sample } from './text-format';

/** Upper bounds in seconds. */
const BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10] as const;
/** Every other is `other`: a caller may send any word as method. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS']);

interface Series {
  /** How many were within each bound and no lower one; the last is beyond all. */
  counts: number[];
  sum: number;
}

const times = singleton('request-times', () => new Map<string, Series>());

/** Counts a request that was answered. Methods and classes of status are few, so that the series are. */
export function observeRequest(method: string, status: number, seconds: number): void {
  const known = METHODS.has(method) ? method : 'other';
  const key = `${known} ${Math.floor(status / 100)}xx`;
  let series = times.get(key);
  if (!series) times.set(key, (series = { counts: new Array<number>(BOUNDS.length + 1).fill(0), sum: 0 }));
  const within = BOUNDS.findIndex((bound) => seconds <= bound);
  series.counts[within === -1 ? BOUNDS.length : within]! += 1;
  series.sum += seconds;
}

export function requestSamples(): Sample[] {
  return [...times].flatMap(([key, { counts, sum }]) => {
    const [method = '', status = ''] = key.split(' ');
    const labels = { method, status };
    let total = 0;
    const buckets = counts.map((count, index): Sample => {
      total += count;
      return { suffix: '_bucket', labels: { ...labels, le: String(BOUNDS[index] ?? '+Inf') }, value: total };
    });
    return [...buckets, { suffix: '_sum', labels, value: sum }, { suffix: '_count', labels, value: total }];
  });
}
