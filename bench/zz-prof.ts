import { fork } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { bundleApiServer } from '../tests/setup/api-process';
import { setUp } from '../tests/setup/journey';
import { load } from './measure';
const which = (process.argv[2] ?? 'one').split(',');
const prof = process.argv[3] === 'prof';
await bundleApiServer();
const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-zz-'));
const child = fork('.cache/api-server.mjs', { env: { ...process.env, NODE_ENV: 'production', PORT: '0', LOG_LEVEL: 'error', BERTH_DATA_DIR: dataDir }, execArgv: prof ? ['--cpu-prof', '--cpu-prof-dir=/tmp/prof/out', '--cpu-prof-interval=200'] : [], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
const port = await new Promise<number>((resolve) => child.once('message', (m) => resolve(m as number)));
const url = `http://127.0.0.1:${port}`;
const pb = await setUp(url);
const db = new Database(path.join(dataDir, 'berth.db'));
const insert = db.prepare(`INSERT INTO recommendations (id, created, updated, kind, name, author, stars, versions) VALUES (?, ?, ?, ?, ?, 'bench', ?, '[]')`);
db.transaction(() => { for (let i = 0; i < 10000; i++) insert.run('r' + String(i).padStart(14, '0'), '2026-11-20 12:00:00.000Z', '2026-11-20 12:00:00.000Z', i % 2 ? 'workspace' : 'image', 'name-' + i, (i * 7919) % 1000); })();
db.close();
await pb.collection('recommendations').create({ kind: 'image', name: 'counts anew' });
const plain = fork('bench/plain-api.mjs', { env: { ...process.env, BENCH_DB: path.join(dataDir, 'berth.db'), BENCH_PORT: '39111' }, execArgv: prof ? ['--cpu-prof', '--cpu-prof-dir=/tmp/prof/plain', '--cpu-prof-interval=200'] : [] });
await new Promise((r) => plain.once('message', r));
const B = '/api/collections/recommendations/records';
const paths: Record<string, [string, string]> = {
  one: [`${B}/r00000000000077`, '/r00000000000077'],
  list: [`${B}?perPage=30&sort=-stars&filter=${encodeURIComponent("kind = 'image' && stars > 100")}`, '/list'],
  timed: [`${B}?perPage=30&sort=-stars&filter=${encodeURIComponent("kind = 'image' && stars > 100 && created < @now")}`, '/timed'],
};
for (const w of which) {
  for (let r = 0; r < 3; r++) {
    const opt = { headers: { 'content-type': 'application/json', authorization: pb.authStore.token }, connections: 32, warmUpMs: 500, durationMs: 1500 };
    const a = await load({ origin: 'http://127.0.0.1:39111', path: paths[w]![1], ...opt });
    const b = await load({ origin: url, path: paths[w]![0], ...opt });
    console.log(w, 'plain', a.requestsPerSecond.toFixed(0), 'ours', b.requestsPerSecond.toFixed(0), 'ratio', (b.requestsPerSecond / a.requestsPerSecond).toFixed(2), b.failures);
  }
}
child.disconnect();
await new Promise((r) => child.once('exit', r));
plain.disconnect(); await new Promise((r) => plain.once('exit', r));
fs.rmSync(dataDir, { recursive: true, force: true });
process.exit(0);
