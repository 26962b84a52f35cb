import fs from 'node:fs';
import { Pool } from 'undici';

/** The middle value; the mean of the two middle ones when there are evenly many. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value below which the given share lies. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)] ?? NaN;
  const high = sorted[Math.ceil(at)] ?? NaN;
  return low + (high - low) * (at - Math.floor(at));
}

interface LoadOptions {
  origin: string;
  path: string;
  headers: Record<string, string>;
  /** Sent with POST. */
  body?: string;
  connections: number;
  warmUpMs: number;
  durationMs: number;
}

export interface LoadResult {
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  failures: number;
}

/** Loads one address over warmed connections for a while and measures whole answers. Loopback only, stops by itself. */
export async function load(options: LoadOptions): Promise<LoadResult> {
  const pool = new Pool(options.origin, { connections: options.connections, pipelining: 1 });
  const latencies: number[] = [];
  let failures = 0;
  const startedAt = performance.now();
  const countFrom = startedAt + options.warmUpMs;
  const end = countFrom + options.durationMs;
  const worker = async (): Promise<void> => {
    while (performance.now() < end) {
      const from = performance.now();
      const { path, headers, body: sent } = options;
      const method = sent === undefined ? 'GET' : 'POST';
      const { statusCode, body } = await pool.request({ path, method, headers, body: sent });
      await body.arrayBuffer();
      if (statusCode !== 200) failures += 1;
      if (from >= countFrom) latencies.push(performance.now() - from);
    }
  };
  await Promise.all(Array.from({ length: options.connections }, worker));
  await pool.close();
  return {
    requestsPerSecond: latencies.length / (options.durationMs / 1000),
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    failures,
  };
}

/** One printed line: what, measured, wanted, and whether it is met. */
export function report(what: string, measured: string, wanted: string, isMet: boolean): void {
  console.log(`  ${isMet ? 'met   ' : 'MISSED'} ${what}: ${measured} (wanted ${wanted})`);
}

/** What a process holds of the memory, in MiB. */
export function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}

/** What a process has had of the processor, for itself and in the kernel. */
export function cpuSeconds(pid: number): number {
  const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}
