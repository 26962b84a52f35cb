import { fork } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { bundleApiServer, startApi, type ApiProcess } from '../tests/setup/api-process';
import { freePort } from '../tests/setup/console-process';
import { setUp } from '../tests/setup/journey';
import { load, median, report, type LoadResult } from './measure';

const TOTAL = 10_000;
const ROUNDS = 3;
const GROWTH = [1000, 10_000, 100_000];
const BASE = '/api/collections/recommendations/records';
const FILTER = "kind = 'image' && stars > 100";

interface Bench {
  api: ApiProcess;
  token: string;
  plain: string;
}

/** The record API against plain node:http with the same prepared statements, in the same run, on the same file. */
export async function benchApi(): Promise<void> {
  await bundleApiServer();
  const api = await startApi();
  const pb = await setUp(api.url);
  const file = path.join(api.dataDir, 'berth.db');
  seed(file, 0, TOTAL);
  const plain = await startPlain(file);
  const bench = { api, token: pb.authStore.token, plain: plain.url };
  await pb.collection('recommendations').create({ kind: 'image', name: 'counts anew' });
  await compareReads(bench);
  await compareCreates(bench);
  plain.stop();
  await measureGrowth(bench, file);
  await api.kill('SIGTERM');
  fs.rmSync(api.dataDir, { recursive: true, force: true });
}

async function compareReads(bench: Bench): Promise<void> {
  const list = (filter: string) => `${BASE}?perPage=30&sort=-stars&filter=${encodeURIComponent(filter)}`;
  await compare(bench, {
    what: `list of 30 of ${TOTAL}, count kept`,
    ours: list(FILTER),
    theirs: '/list',
    wanted: 1.5,
  });
  // A filter on the time is counted anew by every call.
  const timed = list(`${FILTER} && created < @now`);
  await compare(bench, { what: `list of 30 of ${TOTAL}, count forced`, ours: timed, theirs: '/timed', wanted: 0.9 });
  await compare(bench, { what: 'getOne', ours: `${BASE}/${idOf(77)}`, theirs: `/${idOf(77)}`, wanted: 0.8 });
}

async function compareCreates(bench: Bench): Promise<void> {
  const body = JSON.stringify({ kind: 'workspace', name: 'made', stars: 1 });
  await compare(bench, { what: 'create, synchronous=FULL', ours: BASE, theirs: '/', wanted: 1.5, body });
}

interface Comparison {
  what: string;
  ours: string;
  theirs: string;
  wanted: number;
  body?: string;
}

async function compare({ api, token, plain }: Bench, { what, ours, theirs, wanted, body }: Comparison): Promise<void> {
  const json = { 'content-type': 'application/json' };
  const run = (origin: string, address: string, headers: Record<string, string>): Promise<LoadResult> =>
    load({ origin, path: address, headers, body, connections: 32, warmUpMs: 700, durationMs: 2500 });
  const rates: { ours: number[]; theirs: number[] } = { ours: [], theirs: [] };
  let failures = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    rates.theirs.push((await run(plain, theirs, json)).requestsPerSecond);
    const mine = await run(api.url, ours, { ...json, authorization: token });
    rates.ours.push(mine.requestsPerSecond);
    failures += mine.failures;
  }
  const ratio = median(rates.ours) / median(rates.theirs);
  const measured = `${median(rates.ours).toFixed(0)}/s against ${median(rates.theirs).toFixed(0)}/s: ratio ${ratio.toFixed(2)}, ${failures} failures`;
  report(what, measured, `at least ${wanted}`, ratio >= wanted && failures === 0);
}

/** The same indexed calls while the table grows; one after the other, so that only their own cost is seen. */
async function measureGrowth({ api, token }: Bench, file: string): Promise<void> {
  const paths = [`${BASE}/${idOf(77)}`, `${BASE}?filter=${encodeURIComponent("name = 'name-77'")}`];
  const cost: number[] = [];
  for (const total of GROWTH) {
    resize(file, total);
    const took: number[] = [];
    for (let call = 0; call < 1500; call += 1) {
      const from = performance.now();
      const answer = await fetch(api.url + paths[call % paths.length]!, { headers: { authorization: token } });
      await answer.arrayBuffer();
      if (call >= 500) took.push(performance.now() - from);
    }
    cost.push(median(took));
  }
  const growth = cost.at(-1)! / cost[0]!;
  const each = cost.map((ms) => `${(ms * 1000).toFixed(0)} µs`).join(', ');
  report(
    `indexed calls at ${GROWTH.join(', ')} records`,
    `${each}: × ${growth.toFixed(2)}`,
    'under × 1.5',
    growth < 1.5,
  );
}

function idOf(index: number): string {
  return `r${String(index).padStart(14, '0')}`;
}

function resize(file: string, total: number): void {
  const db = new Database(file);
  db.prepare('DELETE FROM recommendations').run();
  db.close();
  seed(file, 0, total);
}

function seed(file: string, from: number, to: number): void {
  const db = new Database(file);
  const insert = db.prepare(
    `INSERT INTO recommendations (id, created, updated, kind, name, author, stars, versions) VALUES (?, ?, ?, ?, ?, 'bench', ?, '[]')`,
  );
  const at = '2026-11-20 12:00:00.000Z';
  db.transaction(() => {
    for (let index = from; index < to; index += 1) {
      const kind = index % 2 === 0 ? 'image' : 'workspace';
      insert.run(idOf(index), at, at, kind, `name-${index}`, (index * 7919) % 1000);
    }
  })();
  db.close();
}

async function startPlain(file: string): Promise<{ url: string; stop(): void }> {
  const port = await freePort();
  const child = fork(path.join(import.meta.dirname, 'plain-api.mjs'), {
    env: { ...process.env, BENCH_DB: file, BENCH_PORT: String(port) },
  });
  await new Promise((resolve) => child.once('message', resolve));
  return { url: `http://127.0.0.1:${port}`, stop: () => child.kill() };
}
