import { expect, test } from 'vitest';
import { getDb } from '@/db/database';
import { prepare } from '@/lib/records/statements';
import { write } from '@/lib/records/transaction';
import { writeNow } from '@/lib/records/write-now';
import { stopWrites } from '@/lib/records/write-stop';
import { openPrivateDatabase } from '../setup/database';

openPrivateDatabase();

const PUT = 'INSERT INTO rate_limits (key, count, window_start, window_end) VALUES (?, 1, 0, 0)';
const keys = () => prepare<string>('SELECT key FROM rate_limits ORDER BY key').pluck().all();

test('what writes is prepared by a transaction alone', async () => {
  expect(() => prepare(PUT)).toThrow('Only a transaction prepares what writes');
  await write((tx) => tx.prepare(PUT).run('a'));
  expect(() => prepare(PUT)).toThrow('Only a transaction prepares what writes');
  expect(keys()).toEqual(['a']);
});

test('a transaction that waits for something is refused, and leaves nothing', async () => {
  const waits = write(async (tx) => {
    tx.prepare(PUT).run('waiting');
  });
  await expect(waits).rejects.toThrow('A transaction must be synchronous');
  expect(keys()).not.toContain('waiting');
});

test('whoever stopped writes may still write, all or nothing', () => {
  const allow = stopWrites();
  try {
    writeNow((tx) => tx.prepare(PUT).run('b'));
    expect(() =>
      writeNow((tx) => {
        tx.prepare(PUT).run('c');
        throw new Error('undone');
      }),
    ).toThrow('undone');
  } finally {
    allow();
  }
  expect(keys()).toEqual(['a', 'b']);
});

test('a statement is compiled once, and again for another connection', () => {
  const sql = 'SELECT 1 AS one';
  expect(prepare(sql)).toBe(prepare(sql));
  expect(prepare<{ one: number }>(sql).get()).toEqual({ one: 1 });
  expect(prepare(sql).database).toBe(getDb().sqlite);
});
