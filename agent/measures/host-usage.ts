import { access, readdir, readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { GpuLoad } from '../gpu';
import type { HostMeasured } from './host-series';

/** What counts up, or is there, at one moment. */
export interface HostReading {
  atMs: number;
  /** Milliseconds of all cores together, since the machine started. */
  busyMs: number;
  allMs: number;
  cores: number;
  memory: number;
  memoryAll: number;
  load: number;
  receivedBytes: number;
  sentBytes: number;
}

export async function readHost(atMs: number): Promise<HostReading> {
  const cpus = os.cpus();
  const times = cpus.map(({ times: { user, nice, sys, idle, irq } }) => ({ busy: user + nice + sys + irq, idle }));
  const busyMs = times.reduce((sum, { busy }) => sum + busy, 0);
  const allMs = times.reduce((sum, { busy, idle }) => sum + busy + idle, 0);
  const [memory, netDev, cards] = await Promise.all([
    readText('/proc/meminfo').then(usedMemory),
    readText('/proc/net/dev'),
    listNetworkCards(),
  ]);
  const net = countTraffic(netDev, cards);
  const [load = 0] = os.loadavg();
  const used = memory ?? os.totalmem() - os.freemem();
  return { atMs, busyMs, allMs, cores: cpus.length, memory: used, memoryAll: os.totalmem(), load, ...net };
}

/** Not there on other systems than Linux. */
function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch(() => '');
}

/** What programs hold: without what the kernel would drop at once. In bytes; undefined where the text does not say. */
export function usedMemory(meminfo: string): number | undefined {
  const kibibytes = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(meminfo)?.[1]);
  const used = kibibytes('MemTotal') - kibibytes('MemAvailable');
  return Number.isFinite(used) ? used * 1024 : undefined;
}

const INTERFACES = '/sys/class/net';

/** The interfaces that a device stands behind: not bridges, bonds, VLANs, tunnels and what engines make. None in most containers. */
export async function listNetworkCards(folder = INTERFACES): Promise<Set<string>> {
  const names = await readdir(folder).catch(() => []);
  const isCard = (name: string): Promise<boolean> =>
    access(path.join(folder, name, 'device')).then(
      () => true,
      () => false,
    );
  const found = await Promise.all(names.map(isCard));
  return new Set(names.filter((_, index) => found[index]));
}

/** In bytes, through these cards alone: what goes through any other interface goes through one of them too, or never leaves. */
export function countTraffic(netDev: string, cards: ReadonlySet<string>): { receivedBytes: number; sentBytes: number } {
  let [receivedBytes, sentBytes] = [0, 0];
  for (const line of netDev.split('\n')) {
    const [, name = '', rest = ''] = /^\s*([^:\s]+):\s*(.*)$/.exec(line) ?? [];
    const isCounted = cards.size > 0 ? cards.has(name) : name !== 'lo';
    if (name === '' || !isCounted) continue;
    const cells = rest.split(/\s+/).map(Number);
    receivedBytes += cells[0] || 0;
    sentBytes += cells[8] || 0;
  }
  return { receivedBytes, sentBytes };
}

/** What was used between two moments; undefined where nobody can tell, as after a sleep of the machine that reset its counters. */
export function usageBetween(
  before: HostReading,
  after: HostReading,
  { diskUsedBytes, loads }: { diskUsedBytes: number; loads: readonly GpuLoad[] },
): HostMeasured | undefined {
  const seconds = (after.atMs - before.atMs) / 1000;
  const allMs = after.allMs - before.allMs;
  if (seconds <= 0 || allMs <= 0 || after.busyMs < before.busyMs) return undefined;
  const rate = (field: 'receivedBytes' | 'sentBytes'): number => Math.max(0, after[field] - before[field]) / seconds;
  return {
    at: Math.round(after.atMs / 1000),
    cpu: ((after.busyMs - before.busyMs) / allMs) * after.cores,
    memory: after.memory,
    disk: diskUsedBytes,
    load: after.load,
    received: rate('receivedBytes'),
    sent: rate('sentBytes'),
    gpu: loads.length > 0 ? loads.reduce((sum, { load }) => sum + load, 0) / loads.length : -1,
    gpuMemory: loads.length > 0 ? loads.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0) : -1,
  };
}
