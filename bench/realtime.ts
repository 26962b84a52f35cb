import { fork, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import type PocketBase from 'pocketbase';
import { bundleApiServer, startApi, type ApiProcess } from '../tests/setup/api-process';
import { setUp } from '../tests/setup/journey';
import { cpuSeconds, quantile, report, residentMb } from './measure';

const LISTENING = 2000;
const EVENTS_PER_SECOND = 20;
const IDLE = 5000;
/** The time over which memory must not grow; `BENCH_MINUTES=5` for the whole of it. */
const MINUTES = Number(process.env.BENCH_MINUTES ?? 1);
const WARM_UP_MS = 5000;

interface Counts {
  received: number;
  closed: number;
  latenciesMs: number[];
}

/** Event streams: how soon a change reaches everyone, what an idle client costs, and whether memory stays where it is. */
export async function benchRealtime(): Promise<void> {
  await bundleApiServer();
  await withApi(measureIdle);
  await withApi(measureDelivery);
}

async function withApi(measure: (api: ApiProcess, pb: PocketBase) => Promise<void>): Promise<void> {
  const env = { BERTH_STREAMS_PER_ADDRESS: '10000', BERTH_STREAMS_PER_ACCOUNT: '10000' };
  const api = await startApi({ env });
  try {
    await measure(api, await setUp(api.url));
  } finally {
    await api.kill('SIGTERM');
    fs.rmSync(api.dataDir, { recursive: true, force: true });
  }
}

async function measureIdle(api: ApiProcess, pb: PocketBase): Promise<void> {
  const warm = startClients(api, pb, '');
  await warm.call('open', 200);
  const before = await settledMb(api.pid);
  const clients = startClients(api, pb, 'recommendations/*');
  await clients.call('open', IDLE);
  const each = (((await settledMb(api.pid)) - before) / IDLE) * 1024;
  report(`${IDLE} idle clients`, `${each.toFixed(1)} KB each`, 'under 15 KB each', each < 15);
  clients.stop();
  warm.stop();
}

async function measureDelivery(api: ApiProcess, pb: PocketBase): Promise<void> {
  const record = await pb.collection('recommendations').create({ kind: 'image', name: 'watched' });
  const clients = startClients(api, pb, 'recommendations/*');
  await clients.call('open', LISTENING);
  await writeFor(pb, record.id, WARM_UP_MS);
  await clients.call('take');
  const before = residentMb(api.pid);
  const cpuFrom = cpuSeconds(api.pid);
  const written = await writeFor(pb, record.id, MINUTES * 60_000);
  const cpuShare = (cpuSeconds(api.pid) - cpuFrom) / (MINUTES * 60);
  await new Promise((resolve) => setTimeout(resolve, 1000));
  const { received, closed, latenciesMs } = await clients.call('take');
  const grownMb = residentMb(api.pid) - before;
  const p99 = quantile(latenciesMs, 0.99);
  report(
    `${LISTENING} clients, ${EVENTS_PER_SECOND} changes/s, asked → received`,
    `p50 ${quantile(latenciesMs, 0.5).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, ${received} of ${written * LISTENING} messages, ${closed} dropped, ${(cpuShare * 100).toFixed(0)} % of a core`,
    'p99 under 150 ms, none lost',
    p99 < 150 && received === written * LISTENING && closed === 0,
  );
  report(
    `memory after ${MINUTES} min of that`,
    `${grownMb.toFixed(1)} MB more`,
    'no growth (under 20 MB)',
    grownMb < 20,
  );
  clients.stop();
}

/** Changes the record at a steady pace; answers how often. Each change carries the moment at which it was asked for. */
async function writeFor(pb: PocketBase, id: string, durationMs: number): Promise<number> {
  const pauseMs = 1000 / EVENTS_PER_SECOND;
  const from = performance.now();
  const writes: Promise<unknown>[] = [];
  for (let at = 0; at * pauseMs < durationMs; at += 1) {
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, from + at * pauseMs - performance.now())));
    const description = String(process.hrtime.bigint());
    writes.push(pb.collection('recommendations').update(id, { description }));
  }
  await Promise.all(writes);
  return writes.length;
}

function startClients(api: ApiProcess, pb: PocketBase, topic: string) {
  const child: ChildProcess = fork(path.join(import.meta.dirname, 'realtime-clients.mjs'), {
    env: { ...process.env, BENCH_PORT: new URL(api.url).port, BENCH_TOKEN: pb.authStore.token, BENCH_TOPIC: topic },
    execArgv: [],
  });
  return {
    call(call: 'open' | 'take', count = 0): Promise<Counts> {
      return new Promise((resolve, reject) => {
        child.once('message', (counts) => resolve(counts as Counts));
        child.once('exit', () => reject(new Error('the clients ended')));
        child.send({ call, count });
      });
    },
    stop: () => child.kill(),
  };
}

/** Memory once the garbage of what just happened had time to go. */
async function settledMb(pid: number): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 8000));
  return residentMb(pid);
}
