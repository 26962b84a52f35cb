import fs from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { bundleApiServer, startApi, type ApiProcess } from '../tests/setup/api-process';
import { PASSWORD, setUp } from '../tests/setup/journey';
import { dropSingleton } from '../lib/singleton';
import { hashPassword, verifyPassword } from '../lib/passwords';
import { median, quantile, report } from './measure';

const AT_ONCE = 50;
const WAVES = 3;
const ROUNDS = 30;
const CHECKS = 20_000;
const BASE = '/api/collections/users';

/** What signing in costs the one who does it, and everyone else meanwhile. */
export async function benchAccounts(): Promise<void> {
  await bundleApiServer();
  const api = await startApi({ env: { BERTH_TRUSTED_PROXIES: '127.0.0.1' } });
  try {
    const pb = await setUp(api.url);
    const { token } = pb.authStore;
    const ownId = String(pb.authStore.model?.id);
    const passwordHash = await hashPassword(PASSWORD);
    addAccounts(path.join(api.dataDir, 'berth.db'), passwordHash);
    await compareSignIn(api, passwordHash);
    await measureOthers(api, { token, ownId });
    await measureRefusals(api);
    await measureTokenCheck(api.dataDir, token);
  } finally {
    await api.kill('SIGTERM');
    fs.rmSync(api.dataDir, { recursive: true, force: true });
  }
}

function nameOf(index: number): string {
  return `bench${index}`;
}

/** Accounts with one known hash, so that adding them takes no time. */
function addAccounts(file: string, passwordHash: string): void {
  const db = new Database(file);
  const at = '2026-11-20 12:00:00.000Z';
  const insert = db.prepare(
    `INSERT INTO users (id, created, updated, username, email, name, password_hash, token_key) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  db.transaction(() => {
    for (let index = 0; index < AT_ONCE; index += 1) {
      const id = `bench${String(index).padStart(10, '0')}`;
      const name = nameOf(index);
      insert.run(id, at, at, name, `${name}@example.com`, name, passwordHash, `${id}-token-key`);
    }
  })();
  db.close();
}

/** Each from an address of its own, as people sit behind a proxy. */
async function signIn(
  { url }: ApiProcess,
  index: number,
  password = PASSWORD,
): Promise<{ ms: number; status: number }> {
  const from = performance.now();
  const answer = await fetch(`${url}${BASE}/auth-with-password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': `198.51.100.${index}` },
    body: JSON.stringify({ identity: nameOf(index), password }),
  });
  await answer.arrayBuffer();
  return { ms: performance.now() - from, status: answer.status };
}

/** A whole sign-in over HTTP, one at a time, against the bare check of the same hash in this process. */
async function compareSignIn(api: ApiProcess, passwordHash: string): Promise<void> {
  const bare: number[] = [];
  const whole: number[] = [];
  for (let round = 0; round < ROUNDS + 5; round += 1) {
    const from = performance.now();
    await verifyPassword(passwordHash, PASSWORD);
    const bareMs = performance.now() - from;
    const { ms } = await signIn(api, round % AT_ONCE);
    if (round < 5) continue;
    bare.push(bareMs);
    whole.push(ms);
  }
  const ratio = median(whole) / median(bare);
  const measured = `${median(whole).toFixed(1)} ms against ${median(bare).toFixed(1)} ms of hash: ratio ${ratio.toFixed(2)}`;
  report(`one sign-in, median of ${ROUNDS}`, measured, 'at most 1.6', ratio <= 1.6);
}

/** What a reader notices of fifty people who sign in at the same moment. */
async function measureOthers(api: ApiProcess, { token, ownId }: { token: string; ownId: string }): Promise<void> {
  const latencies: number[] = [];
  let failures = 0;
  for (let wave = 0; wave < WAVES; wave += 1) {
    let isOver = false;
    const reader = (async () => {
      while (!isOver) {
        const from = performance.now();
        const answer = await fetch(`${api.url}${BASE}/records/${ownId}`, { headers: { authorization: token } });
        await answer.arrayBuffer();
        if (answer.status !== 200) failures += 1;
        latencies.push(performance.now() - from);
      }
    })();
    const results = await Promise.all(Array.from({ length: AT_ONCE }, (_, index) => signIn(api, index)));
    failures += results.filter(({ status }) => status !== 200).length;
    isOver = true;
    await reader;
  }
  const p99 = quantile(latencies, 0.99);
  const measured = `p50 ${median(latencies).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms of ${latencies.length}, ${failures} failures`;
  report(`getOne during ${AT_ONCE} sign-ins at once`, measured, 'p99 under 150 ms', p99 < 150 && failures === 0);
}

/** Past its limit a try costs no hash and no write. */
async function measureRefusals(api: ApiProcess): Promise<void> {
  const failed: number[] = [];
  const refused: number[] = [];
  for (let turn = 0; turn < 40; turn += 1) {
    const { ms, status } = await signIn(api, 1, 'wrong');
    (status === 429 ? refused : failed).push(ms);
  }
  const share = median(refused) / median(failed);
  const measured = `${median(refused).toFixed(1)} ms against ${median(failed).toFixed(1)} ms of a try that is looked at: ratio ${share.toFixed(2)}`;
  report('a try past the limit', measured, 'under 0.5', share < 0.5);
}

/** The check of a call's token by itself, in this process, on the server's own data. */
async function measureTokenCheck(dataDir: string, token: string): Promise<void> {
  process.env.BERTH_DATA_DIR = dataDir;
  const { actorOfAuthorization } = await import('../lib/auth/actor');
  dropSingleton('db');
  for (let turn = 0; turn < CHECKS; turn += 1) actorOfAuthorization(token);
  const from = performance.now();
  let known = 0;
  for (let turn = 0; turn < CHECKS; turn += 1) if (actorOfAuthorization(token).kind === 'user') known += 1;
  const eachUs = ((performance.now() - from) * 1000) / CHECKS;
  const measured = `${eachUs.toFixed(1)} µs, ${CHECKS - known} not known`;
  report('token check of a call', measured, 'under 20 µs', eachUs < 20 && known === CHECKS);
}
