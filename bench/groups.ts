import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import type PocketBase from 'pocketbase';
import { startConsole } from '../tests/setup/console-process';
import { admin, PASSWORD, setUp } from '../tests/setup/journey';
import { median, quantile, report } from './measure';

const TOTAL = 10_000;
const GROUPS = 50;
const ROUNDS = 200;

/**
 * The list of 30 of 10,000 workspaces as somebody who holds each through one of 50 groups, against one who holds each by
 * name. Every question is another, so that none is answered from memory, and brings what the caller may do.
 */
export async function benchGroups(): Promise<void> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-bench-'));
  const berth = await startConsole({ dataDir, env: { BERTH_LOCAL_AGENT: 'off', LOG_LEVEL: 'error' } });
  const pb = await setUp(berth.url);
  const [grouped, named] = [await createUser(pb, 'grouped'), await createUser(pb, 'named')];
  seed(path.join(dataDir, 'berth.db'), { grouped: grouped.id, named: named.id });
  const times: Record<'grouped' | 'named', number[]> = { grouped: [], named: [] };
  await pb.collection('users').authWithPassword(admin.username, PASSWORD);
  for (let round = 0; round < ROUNDS; round += 1) {
    times.named.push(await timeList(berth.url, named.token, round));
    times.grouped.push(await timeList(berth.url, grouped.token, round));
  }
  const p95 = quantile(times.grouped, 0.95);
  const ratio = median(times.grouped) / median(times.named);
  report(
    `list of 30 of ${TOTAL}, all held through ${GROUPS} groups, against all held by name`,
    `p95 ${p95.toFixed(1)} ms, median ${median(times.grouped).toFixed(1)} ms against ${median(times.named).toFixed(1)} ms: ratio ${ratio.toFixed(2)}`,
    'p95 under 60 ms, ratio at most 1.5',
    p95 < 60 && ratio <= 1.5,
  );
  await berth.dispose();
}

async function timeList(origin: string, authorization: string, round: number): Promise<number> {
  const query = new URLSearchParams({ perPage: '30', can: '1', filter: `name != 'none-${round}'` }).toString();
  const from = performance.now();
  const answer = await fetch(`${origin}/api/collections/workspaces/records?${query}`, { headers: { authorization } });
  const { totalItems } = (await answer.json()) as { totalItems: number };
  if (totalItems !== TOTAL) throw new Error(`${totalItems} of ${TOTAL} are listed`);
  return performance.now() - from;
}

async function createUser(pb: PocketBase, username: string): Promise<{ id: string; token: string }> {
  const account = { username, email: `${username}@example.org`, name: username };
  await pb.collection('users').create({ ...account, password: PASSWORD, passwordConfirm: PASSWORD });
  const { record, token } = await pb.collection('users').authWithPassword(username, PASSWORD);
  await pb.collection('users').authWithPassword(admin.username, PASSWORD);
  return { id: record.id, token };
}

function seed(file: string, { grouped, named }: { grouped: string; named: string }): void {
  const db = new Database(file);
  const at = '2026-11-20 12:00:00.000Z';
  const idOf = (kind: string, index: number) => `${kind}${String(index).padStart(14, '0')}`;
  const workspace = db.prepare(
    `INSERT INTO workspaces (id, created, updated, name, host, image, created_by, enabled, status, desired)
     VALUES (?, ?, ?, ?, 'hosthosthosthos', 'imageimageimage', 'someoneelse0000', 1, 'running', 'running')`,
  );
  const permission = db.prepare(
    'INSERT INTO workspace_permissions (id, created, updated, "user", "group", workspace, view) VALUES (?, ?, ?, ?, ?, ?, 1)',
  );
  const group = db.prepare('INSERT INTO "groups" (id, created, updated, name, member_count) VALUES (?, ?, ?, ?, 1)');
  const member = db.prepare(
    'INSERT INTO group_members (id, created, updated, "user", "group", source) VALUES (?, ?, ?, ?, ?, \'manual\')',
  );
  db.transaction(() => {
    for (let index = 0; index < GROUPS; index += 1) {
      group.run(idOf('g', index), at, at, `group ${index}`);
      member.run(idOf('m', index), at, at, grouped, idOf('g', index));
    }
    for (let index = 0; index < TOTAL; index += 1) {
      workspace.run(idOf('w', index), at, at, `workspace-${index}`);
      permission.run(idOf('p', index), at, at, named, '', idOf('w', index));
      permission.run(idOf('q', index), at, at, '', idOf('g', index % GROUPS), idOf('w', index));
    }
  })();
  db.close();
}
