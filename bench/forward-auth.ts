import { fork } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { request } from 'undici';
import { bundleApiServer, startApi, type ApiProcess } from '../tests/setup/api-process';
import { freePort } from '../tests/setup/console-process';
import { setUp } from '../tests/setup/journey';
import { load, median, report } from './measure';

const WORKSPACES = 5000;
const ROUNDS = 3;
const HOST = 'app-77.example.org';
const PATH = '/api/forward-auth';
const ASKED = { 'x-forwarded-proto': 'https', 'x-forwarded-host': HOST, 'x-forwarded-uri': '/', accept: 'text/html' };

/** What a request to a protected address costs, against a server that lets everything pass. */
export async function benchForwardAuth(): Promise<void> {
  await bundleApiServer();
  const api = await startApi();
  const plain = await startPlain();
  try {
    const pb = await setUp(api.url);
    await pb.collection('domains').create({ id: 'benchdomain0001', url: 'example.org' });
    addWorkspaces(path.join(api.dataDir, 'berth.db'));
    const headers = { ...ASKED, cookie: await logIn(api, pb.authStore.token) };
    const ours = { p50: [] as number[], rate: [] as number[] };
    const theirs: number[] = [];
    let failures = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      theirs.push((await run(plain.url, headers, 1)).requestsPerSecond);
      const one = await run(api.url, headers, 1);
      ours.p50.push(one.p50Ms);
      ours.rate.push(one.requestsPerSecond);
      failures += one.failures + (await run(api.url, headers, 32)).failures;
    }
    const p50 = median(ours.p50);
    report(
      `one of ${WORKSPACES} addresses, p50`,
      `${p50.toFixed(3)} ms, ${failures} failures`,
      'under 1 ms',
      p50 < 1 && failures === 0,
    );
    const ratio = median(ours.rate) / median(theirs);
    report('requests against a plain server', `ratio ${ratio.toFixed(2)}`, 'at least 0.25', ratio >= 0.25);
  } finally {
    plain.stop();
    await api.kill('SIGTERM');
    fs.rmSync(api.dataDir, { recursive: true, force: true });
  }
}

const run = (origin: string, headers: Record<string, string>, connections: number) =>
  load({ origin, path: PATH, headers, connections, warmUpMs: 500, durationMs: 2000 });

function addWorkspaces(file: string): void {
  const db = new Database(file);
  const insert = db.prepare(
    "INSERT INTO workspaces (id, name, host, image, networks, volumes, applied_recommendations, ignored_recommendations, external_urls) VALUES (?, ?, 'h', 'i', '[]', '[]', '[]', '[]', ?)",
  );
  db.transaction(() => {
    for (let index = 0; index < WORKSPACES; index += 1) {
      const url = { scheme: 'https', subdomain: `app-${index}`, domain: 'benchdomain0001', port: 80 };
      const urls = JSON.stringify([{ ...url, authentication: 'internal', users: [] }]);
      insert.run(`bench${String(index).padStart(10, '0')}`, `bench-${index}`, urls);
    }
  })();
  db.close();
}

/** The way of a browser; resolves with its cookie. */
async function logIn({ url }: ApiProcess, authToken: string): Promise<string> {
  // As `fetch` says of itself, it opens no pages.
  const ask = (headers: Record<string, string>) => request(url + PATH, { headers });
  const cookieIn = (sent: string | string[] | undefined) => String([sent].flat()[0]).split(';')[0]!;
  const sent = await ask(ASKED);
  const { searchParams } = new URL(String(sent.headers.location));
  const body = { authToken, state: searchParams.get('state'), csrf_token: searchParams.get('csrf_token') };
  const verified = await fetch(`${url}/api/verify`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const back = new URL(((await verified.json()) as { address: string }).address);
  const cookie = cookieIn(sent.headers['set-cookie']);
  const done = await ask({ ...ASKED, cookie, 'x-forwarded-uri': back.pathname + back.search });
  return cookieIn(done.headers['set-cookie']);
}

async function startPlain(): Promise<{ url: string; stop(): void }> {
  const port = await freePort();
  const child = fork(path.join(import.meta.dirname, 'plain-auth.mjs'), {
    env: { ...process.env, BENCH_PORT: String(port) },
  });
  await new Promise((resolve) => child.once('message', resolve));
  return { url: `http://127.0.0.1:${port}`, stop: () => child.kill() };
}
