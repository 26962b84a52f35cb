import { fork } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import PocketBase from 'pocketbase';
import { freePort, startConsole } from '../tests/setup/console-process';
import { load, report, type LoadResult } from './measure';

const TOTAL = 10_000;
const VISIBLE = 500;
const ROUNDS = 3;
const PASSWORD = 'Bench!pass1';

/** The list of 30 of 10,000 workspaces as a user who sees 500, against a plain server running the same SQL. */
export async function benchList(): Promise<void> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-bench-'));
  const berth = await startConsole({ dataDir, env: { BERTH_LOCAL_AGENT: 'off', LOG_LEVEL: 'error' } });
  const { token, userId } = await createUser(berth.url);
  seed(path.join(dataDir, 'berth.db'), userId);
  const plain = await startPlainServer(path.join(dataDir, 'berth.db'), userId);

  const ours: LoadResult[] = [];
  const theirs: LoadResult[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    theirs.push(await run(plain.url, '/', {}));
    ours.push(await run(berth.url, '/api/collections/workspaces/records?perPage=30', { authorization: token }));
  }
  const rate = (results: LoadResult[]): number => Math.max(...results.map((result) => result.requestsPerSecond));
  const ratio = rate(ours) / rate(theirs);
  const failures = ours.reduce((sum, result) => sum + result.failures, 0);
  report(
    `list of 30 of ${TOTAL}, ${VISIBLE} visible, 64 connections`,
    `${rate(ours).toFixed(0)}/s (p99 ${ours.at(-1)!.p99Ms.toFixed(0)} ms) against ${rate(theirs).toFixed(0)}/s: ratio ${ratio.toFixed(2)}, ${failures} failures`,
    'at least 0.8',
    ratio >= 0.8 && failures === 0,
  );
  plain.stop();
  await berth.dispose();
}

function run(origin: string, address: string, headers: Record<string, string>): Promise<LoadResult> {
  return load({ origin, path: address, headers, connections: 64, warmUpMs: 2000, durationMs: 8000 });
}

async function createUser(url: string): Promise<{ token: string; userId: string }> {
  const form = new FormData();
  const admin = {
    email: 'admin@example.org',
    username: 'admin',
    name: 'Admin',
    password: PASSWORD,
    passwordConfirm: PASSWORD,
  };
  for (const [key, value] of Object.entries({ ...admin, isAdmin: 'true' })) form.append(key, value);
  const setup = await fetch(`${url}/api/setup`, { method: 'POST', body: form });
  if (!setup.ok) throw new Error(await setup.text());
  const pb = new PocketBase(url);
  await pb.collection('users').authWithPassword('admin', PASSWORD);
  await pb.collection('users').create({ ...admin, email: 'user@example.org', username: 'user', name: 'User' });
  const { token, record } = await pb.collection('users').authWithPassword('user', PASSWORD);
  return { token, userId: record.id };
}

function seed(file: string, userId: string): void {
  const db = new Database(file);
  const workspace = db.prepare(
    `INSERT INTO workspaces (id, created, updated, name, host, image, created_by, enabled, status, desired, environment_variables, port_mappings)
     VALUES (@id, @at, @at, @name, 'hosthosthosthos', 'imageimageimage', 'someoneelse0000', 1, 'running', 'running', @variables, @ports)`,
  );
  const permission = db.prepare(
    `INSERT INTO workspace_permissions (id, created, updated, user, workspace, view) VALUES (@id, @at, @at, @user, @workspace, 1)`,
  );
  const at = '2026-11-20 12:00:00.000Z';
  const variables = JSON.stringify([{ name: 'TZ', value: 'UTC', secret: false }]);
  const ports = JSON.stringify([{ containerPort: 80, protocol: 'tcp', hostPort: 8080, hostIp: '' }]);
  db.transaction(() => {
    for (let index = 0; index < TOTAL; index += 1) {
      const id = `w${String(index).padStart(14, '0')}`;
      workspace.run({ id, at, name: `workspace-${index}`, variables, ports });
      const isVisible = index % (TOTAL / VISIBLE) === 0;
      if (isVisible) permission.run({ id: `p${String(index).padStart(14, '0')}`, at, user: userId, workspace: id });
    }
  })();
  db.close();
}

async function startPlainServer(file: string, userId: string): Promise<{ url: string; stop(): void }> {
  const port = await freePort();
  const child = fork(path.join(import.meta.dirname, 'plain-server.mjs'), {
    env: { ...process.env, BENCH_DB: file, BENCH_PORT: String(port), BENCH_USER: userId },
  });
  await new Promise((resolve) => child.once('message', resolve));
  return { url: `http://127.0.0.1:${port}`, stop: () => child.kill() };
}
