import { expect, test } from 'vitest';
import { getDb } from '@/db/database';
import { newId } from '@/lib/ids';
import { requestLogs } from '@/lib/stores/request-logs';
import { sendApi } from '../setup/api';
import { openPrivateDatabase } from '../setup/database';

openPrivateDatabase();

const insert = (rowid: number) =>
  getDb()
    .sqlite.prepare(
      "INSERT INTO logs (rowid, id, created, updated, level, message, data) VALUES (?, ?, '', '', 0, '', '{}')",
    )
    .run(rowid, newId());
const count = () => getDb().sqlite.prepare('SELECT COUNT(*) FROM logs').pluck().get();

test('a row of the request log stays short, whatever is asked', async () => {
  const headers = { referer: '"\\'.repeat(5000), 'user-agent': '\\'.repeat(9000), 'x-forwarded-for': '"'.repeat(5000) };
  await sendApi('GET', `/api/none/${'%22'.repeat(2000)}?${'\\'.repeat(9000)}`, { headers });
  requestLogs().flush();
  const [row] = getDb().sqlite.prepare('SELECT length(message) + length(data) AS size, data FROM logs').all() as [
    { size: number; data: string },
  ];
  expect(row.size).toBeLessThan(8001);
  expect(JSON.parse(row.data)).toMatchObject({ method: 'GET', status: 404 });
});

test('the oldest rows go once there are very many', async () => {
  for (const rowid of [1000, 1001, 100_999]) insert(rowid);
  const before = Number(count());
  await sendApi('GET', '/api/none');
  requestLogs().flush();
  // The new row is number 101,000: the rows up to 1,000 go.
  const left = getDb().sqlite.prepare('SELECT rowid FROM logs ORDER BY 1').pluck().all();
  expect(left).toEqual([1001, 100_999, 101_000]);
  expect(before).toBe(4);
});
