import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { startConsole } from '../tests/setup/console-process';
import { admin, PASSWORD, setUp } from '../tests/setup/journey';
import { median, quantile, report } from './measure';

const TOTAL = 10_000;
const ROUNDS = 200;
const TAGS = 97;

/**
 * A page of 10,000 volumes, of which one has rights on half, with the filter of a tag and without one; and the tags that one
 * sees. Every question is another, so that none is answered from memory.
 */
export async function benchTags(): Promise<void> {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-bench-'));
  const berth = await startConsole({ dataDir, env: { BERTH_LOCAL_AGENT: 'off', LOG_LEVEL: 'error' } });
  const pb = await setUp(berth.url);
  const account = { username: 'member', email: 'member@example.org', name: 'Member' };
  const { id } = await pb.collection('users').create({ ...account, password: PASSWORD, passwordConfirm: PASSWORD });
  seed(path.join(dataDir, 'berth.db'), id);
  for (const who of [admin.username, account.username]) {
    await pb.collection('users').authWithPassword(who, PASSWORD);
    const times: Record<'without' | 'with' | 'tags', number[]> = { without: [], with: [], tags: [] };
    const ask = async (kind: keyof typeof times, address: string) => {
      const from = performance.now();
      const answer = await fetch(`${berth.url}${address}`, { headers: { authorization: pb.authStore.token } });
      const { items } = (await answer.json()) as { items: unknown[] };
      if (items.length === 0) throw new Error(`${address} finds nothing`);
      times[kind].push(performance.now() - from);
    };
    const list = (filter: string) =>
      `/api/collections/volumes/records?${new URLSearchParams({ sort: 'name', can: '1', filter }).toString()}`;
    for (let round = 0; round < ROUNDS; round += 1) {
      await ask('without', list(`name != 'none-${round}'`));
      await ask('with', list(`tags ~ '"tag ${round % TAGS}"' && name != 'none-${round}'`));
      await ask('tags', `/api/tags?collection=volumes&search=${round % TAGS}`);
    }
    const ratio = median(times.with) / median(times.without);
    const p95 = quantile(times.with, 0.95);
    report(
      `page of ${TOTAL} volumes with a tag, as ${who}`,
      `p95 ${p95.toFixed(1)} ms, median ${median(times.with).toFixed(1)} ms against ${median(times.without).toFixed(1)} ms: ratio ${ratio.toFixed(2)}`,
      'p95 under 60 ms, ratio at most 5',
      p95 < 60 && ratio <= 5,
    );
    const told = quantile(times.tags, 0.95);
    report(`tags that ${who} sees`, `p95 ${told.toFixed(1)} ms`, 'p95 under 60 ms', told < 60);
  }
  await berth.dispose();
}

function seed(file: string, member: string): void {
  const db = new Database(file);
  const at = '2026-11-20 12:00:00.000Z';
  const idOf = (kind: string, index: number) => `${kind}${String(index).padStart(14, '0')}`;
  const volume = db.prepare(
    `INSERT INTO volumes (id, created, updated, name, host, created_by, status, tags)
     VALUES (?, ?, ?, ?, 'hosthosthosthos', 'someoneelse0000', 'ready', ?)`,
  );
  const permission = db.prepare(
    'INSERT INTO volume_permissions (id, created, updated, "user", volume, attach) VALUES (?, ?, ?, ?, ?, 1)',
  );
  db.transaction(() => {
    for (let index = 0; index < TOTAL; index += 1) {
      const tags = index % 5 === 4 ? [] : ['course', `tag ${index % TAGS}`, `team/${index % 7}`];
      volume.run(idOf('v', index), at, at, `volume-${index}`, JSON.stringify(tags));
      if (index % 2 === 0) permission.run(idOf('p', index), at, at, member, idOf('v', index));
    }
  })();
  db.close();
}
