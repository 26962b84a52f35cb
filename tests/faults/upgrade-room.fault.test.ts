import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { startConsole, type ConsoleProcess } from '../setup/console-process';

vi.setConfig({ testTimeout: 60_000 });

/** The data of an older version on a disk with no room for the copy that an upgrade makes first. */
const drizzle = path.resolve(import.meta.dirname, '../../drizzle');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-room-'));
const dataDir = path.join(folder, 'data');
const file = path.join(dataDir, 'berth.db');
let berth: ConsoleProcess | undefined;

beforeAll(() => {
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=32m', 'tmpfs', folder]);
  fs.mkdirSync(dataDir);
  const db = new Database(file);
  db.exec('CREATE TABLE __drizzle_migrations (id SERIAL PRIMARY KEY, hash text NOT NULL, created_at numeric)');
  const journal = JSON.parse(fs.readFileSync(path.join(drizzle, 'meta/_journal.json'), 'utf8')) as {
    entries: { tag: string; when: number }[];
  };
  for (const { tag, when } of journal.entries.slice(0, -2)) {
    const text = fs.readFileSync(path.join(drizzle, `${tag}.sql`), 'utf8');
    for (const statement of text.split('--> statement-breakpoint')) db.exec(statement);
    const hash = createHash('sha256').update(text).digest('hex');
    db.prepare('INSERT INTO __drizzle_migrations (hash, created_at) VALUES (?, ?)').run(hash, when);
  }
  db.exec("INSERT INTO workspaces (id, name) VALUES ('w1', 'kept')");
  db.exec('CREATE TABLE ballast (x); INSERT INTO ballast VALUES (zeroblob(14000000))');
  db.close();
});
afterAll(async () => {
  await berth?.kill('SIGKILL');
  execFileSync('umount', [folder]);
  fs.rmSync(folder, { recursive: true, force: true });
});

const migrations = (): number => {
  const db = new Database(file, { readonly: true });
  const count = db.prepare('SELECT count(*) FROM __drizzle_migrations').pluck().get() as number;
  db.close();
  return count;
};

it('is not changed without room for a copy, and is where there is room or somebody says to go on', async () => {
  const env = { BERTH_LOCAL_AGENT: 'off', LOG_LEVEL: 'warn' };
  const ballast = path.join(folder, 'ballast');
  fs.writeFileSync(ballast, Buffer.alloc(6_000_000));
  const before = migrations();
  const refusal = await startConsole({ dataDir, env }).then(
    () => 'it started',
    (error: Error) => error.message,
  );
  expect(refusal).toMatch(
    /exit 1[^]*the disk has too little room for that. It takes \d+ MB, \d+ MB are free. Nothing was changed/,
  );
  expect(refusal).not.toMatch(/\n\s+at /);
  expect(migrations()).toBe(before);
  expect(fs.existsSync(path.join(dataDir, 'before-upgrade/berth.db'))).toBe(false);

  berth = await startConsole({ dataDir, env: { ...env, BERTH_UPGRADE_WITHOUT_COPY: 'accept' } });
  expect(berth.output()).toContain('without a copy of what it was');
  await berth.kill('SIGTERM');
  expect(migrations()).toBe(before + 2);
  expect(fs.existsSync(path.join(dataDir, 'before-upgrade/berth.db'))).toBe(false);
});
