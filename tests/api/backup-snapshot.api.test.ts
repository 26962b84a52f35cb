import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { createBackup } from '@/lib/backups/create-backup';
import { settings } from '@/lib/settings/collection';
import { env } from '@/lib/env';
import { write } from '@/lib/records/transaction';
import { openPrivateDatabase } from '../setup/database';
import { readZip } from '../setup/zips';

openPrivateDatabase();

test('a backup made while a writer hammers is whole, and holds both rows of every pair or none', async () => {
  // Enough pages for many steps of the copy.
  const filler = 'x'.repeat(100_000);
  await write((tx) => {
    for (let index = 0; index < 200; index += 1) tx.insert(settings, { key: `filler-${index}`, value: filler });
  });
  let pairs = 0;
  let isWriting = true;
  const writePair = (values: { key: string; value: unknown }) =>
    write((tx) => {
      tx.insert(settings, { ...values, key: `one-${values.key}` });
      tx.insert(settings, { ...values, key: `two-${values.key}` });
      if (pairs % 3 === 0)
        tx.patch(settings, tx.find(settings, { key: `filler-${pairs % 200}` })[0]!.id, { value: pairs });
    });
  const writing = (async () => {
    while (isWriting) {
      await writePair({ key: String(pairs), value: pairs });
      pairs += 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  await expect.poll(() => pairs).toBeGreaterThan(5);
  const before = pairs;
  await createBackup('hammered.zip');
  const after = pairs;
  isWriting = false;
  await writing;
  expect(after - before).toBeGreaterThan(5);

  const files = await readZip(fs.readFileSync(path.join(env().dataDir, 'backups/hammered.zip')));
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-snapshot-'));
  fs.writeFileSync(path.join(folder, 'berth.db'), files['berth.db']!);
  const db = new Database(path.join(folder, 'berth.db'));
  expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
  const numbersOf = (kind: string) =>
    (db.prepare(`SELECT value FROM settings WHERE key LIKE '${kind}-%'`).pluck().all() as string[])
      .map(Number)
      .sort((a, b) => a - b);
  const ones = numbersOf('one');
  expect(numbersOf('two')).toEqual(ones);
  expect(ones).toEqual(ones.map((_, index) => index));
  expect(ones.length).toBeGreaterThanOrEqual(before);
  expect(ones.length).toBeLessThanOrEqual(after + 1);
  db.close();
  fs.rmSync(folder, { recursive: true });
});
