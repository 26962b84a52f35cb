import 'server-only';
import fs from 'node:fs/promises';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { getDb } from '@/db/database';
import { listBackups } from '@/lib/backups/folder';
import { env } from '@/lib/env';
import { hostLinks, linkFrames } from '@/lib/hosts/link/links';
import { realtimeHub } from '@/lib/realtime/hub';
import { keptUntilChange } from '@/lib/records/kept-value';
import { prepare } from '@/lib/records/statements';
import { singleton } from '@/lib/singleton';
import { APP_VERSION } from '@/lib/version';
import { requestSamples } from './request-times';
import type { Family, Sample } from './text-format';

const RESOLUTION_MS = 20;
const NS_PER_SECOND = 1e9;

interface Count {
  label: string;
  count: number;
}

/** Read out of indexes alone, and again only once something has changed. */
const WORKSPACES = 'SELECT status AS label, COUNT(*) AS count FROM workspaces GROUP BY status';
const HOSTS = 'SELECT status AS label, COUNT(*) AS count FROM hosts GROUP BY status';
const BUILDS = `SELECT status AS label, COUNT(*) AS count FROM builds
  WHERE host IN (SELECT id FROM hosts) AND status IN ('build_pending', 'building') GROUP BY status`;
/** What a scrape asks the database for. */
export const METRIC_QUERIES = [WORKSPACES, HOSTS, BUILDS];

const counted = (name: string, collections: readonly string[], sql: string) =>
  keptUntilChange(`metrics-${name}`, collections, () => prepare<Count>(sql).all());
const workspaces = counted('workspaces', ['workspaces'], WORKSPACES);
const hosts = counted('hosts', ['hosts'], HOSTS);
const builds = counted('builds', ['builds', 'hosts'], BUILDS);

const delay = singleton('event-loop-delay', () => {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  return histogram;
});

const gauge = (name: string, help: string, value: number): Family => ({
  name,
  help,
  type: 'gauge',
  samples: [{ value }],
});
const byLabel = (label: string, counts: readonly Count[]): Sample[] =>
  counts
    .filter(({ label: value }) => value !== '')
    .map((each) => ({ labels: { [label]: each.label }, value: each.count }));

/** Every metric, as it is now. */
export async function collectMetrics(): Promise<Family[]> {
  return [...records(), ...traffic(), ...processMetrics(), ...(await storage())];
}

function records(): Family[] {
  const links = { labels: { link: 'live' }, value: hostLinks.size };
  return [
    {
      name: 'berth_info',
      help: 'The version of the console',
      type: 'gauge',
      samples: [{ labels: { version: APP_VERSION }, value: 1 }],
    },
    {
      name: 'berth_workspaces',
      help: 'Workspaces by status',
      type: 'gauge',
      samples: byLabel('status', workspaces()),
    },
    { name: 'berth_hosts', help: 'Hosts by status', type: 'gauge', samples: byLabel('status', hosts()) },
    { name: 'berth_host_links', help: 'Open links to agents', type: 'gauge', samples: [links] },
    { name: 'berth_builds', help: 'Builds that wait and that run', type: 'gauge', samples: openBuilds() },
  ];
}

/** Both are told, also while there are none. */
function openBuilds(): Sample[] {
  const found = new Map(builds().map(({ label, count }) => [label, count]));
  return [
    { labels: { state: 'queued' }, value: found.get('build_pending') ?? 0 },
    { labels: { state: 'running' }, value: found.get('building') ?? 0 },
  ];
}

function traffic(): Family[] {
  const frames = linkFrames();
  return [
    {
      name: 'berth_http_request_duration_seconds',
      help: 'Time until the head of an answer under /api was ready',
      type: 'histogram',
      samples: requestSamples(),
    },
    gauge('berth_event_streams', 'Open event streams of pages', realtimeHub().size),
    {
      name: 'berth_link_frames_total',
      help: 'Frames over the links to agents',
      type: 'counter',
      samples: [
        { labels: { direction: 'received' }, value: frames.received },
        { labels: { direction: 'sent' }, value: frames.sent },
      ],
    },
    {
      name: 'berth_link_bytes_total',
      help: 'Bytes in those frames',
      type: 'counter',
      samples: [
        { labels: { direction: 'received' }, value: frames.receivedBytes },
        { labels: { direction: 'sent' }, value: frames.sentBytes },
      ],
    },
  ];
}

function processMetrics(): Family[] {
  const { heapUsed, heapTotal, rss } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  const quantiles = [50, 90, 99].map((percent): Sample => ({
    labels: { quantile: String(percent / 100) },
    value: delay.percentile(percent) / NS_PER_SECOND,
  }));
  // Each scrape tells of the time since the one before.
  const longest = delay.count === 0 ? 0 : delay.max / NS_PER_SECOND;
  delay.reset();
  return [
    {
      name: 'berth_event_loop_delay_seconds',
      help: 'How late the event loop comes, since the last scrape; 1 is the longest',
      type: 'gauge',
      samples: [...quantiles, { labels: { quantile: '1' }, value: longest }],
    },
    gauge('berth_heap_used_bytes', 'Heap in use', heapUsed),
    gauge('berth_heap_size_bytes', 'Heap that is taken', heapTotal),
    gauge('berth_resident_memory_bytes', 'Memory of the process', rss),
    {
      name: 'berth_cpu_seconds_total',
      help: 'Processor time of the process',
      type: 'counter',
      samples: [{ value: (user + system) / 1e6 }],
    },
    gauge('berth_start_time_seconds', 'When the process started', Math.round(performance.timeOrigin / 1000)),
  ];
}

async function storage(): Promise<Family[]> {
  const { dataDir } = env();
  const { sqlite } = getDb();
  const pages = Number(sqlite.pragma('page_count', { simple: true }));
  const pageBytes = Number(sqlite.pragma('page_size', { simple: true }));
  const [wal, disk, files] = await Promise.all([
    fs.stat(path.join(dataDir, 'berth.db-wal')).catch(() => undefined),
    fs.statfs(dataDir),
    listBackups(),
  ]);
  const [newest] = files;
  const families = [
    gauge('berth_database_bytes', 'Size of the database', pages * pageBytes),
    gauge('berth_database_log_bytes', 'Size of its write-ahead log', wal?.size ?? 0),
    gauge('berth_disk_free_bytes', 'Free on the disk of the data folder', disk.bavail * disk.bsize),
    gauge('berth_backups', 'Backups of the console', files.length),
  ];
  if (!newest) return families;
  const madeSeconds = Math.floor(Date.parse(newest.modified) / 1000);
  return [...families, gauge('berth_last_backup_timestamp_seconds', 'When the newest backup was made', madeSeconds)];
}
