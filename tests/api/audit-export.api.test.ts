import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { getDb } from '@/db/database';
import { issueToken } from '@/lib/auth/tokens';
import { audit } from '@/lib/audit/collection';
import { users } from '@/lib/accounts/collection';
import type { AnyRow } from '@/lib/records/collection';
import { StoreReader, write } from '@/lib/records/transaction';
import { walkRecords } from '@/lib/records/walk';
import { system } from '@/lib/policies/actor';
import { call, send } from '../setup/call';
import { openPrivateDatabase } from '../setup/database';
import { createUser } from '../setup/world';

openPrivateDatabase();

const PATH = '/api/audit/export';
let admin: AnyRow & { id: string };
let person: AnyRow & { id: string };

beforeAll(async () => {
  admin = await createUser({ isAdmin: true });
  person = await createUser();
});

beforeEach(() => {
  getDb().sqlite.exec('DELETE FROM audit');
});

function fill(count: number): void {
  const { sqlite } = getDb();
  const insert = sqlite.prepare(
    `INSERT INTO audit (id, created, updated, user, user_name, action, outcome, collection, record, record_name, address, user_agent, via, details)
     VALUES (?, ?, '', ?, '', ?, 'success', '', '', ?, '', '', '', '{}')`,
  );
  sqlite.transaction(() => {
    for (let index = 0; index < count; index += 1) {
      const minute = String(Math.floor(index / 7) % 60).padStart(2, '0');
      const created = `2026-11-2${Math.floor(index / 420) % 10} 10:${minute}:00.000Z`;
      insert.run(`row${String(index).padStart(12, '0')}`, created, `u${index % 3}`, `a${index % 5}`, `name ${index}`);
    }
  })();
}

async function download(query: string, as = admin): Promise<{ response: Response; text: string }> {
  const response = await send(`${PATH}?${query}`, { as });
  return { response, text: await response.text() };
}

async function idsOf(query: string): Promise<string[]> {
  const { text } = await download(`format=json&${query}`);
  return (JSON.parse(text) as AnyRow[]).map(({ id }) => String(id));
}

describe('an export', () => {
  test.each(['', '-created', 'created', '-action,user', 'user,-action,created', '-id'])(
    'sorted by %j holds every row once, as a list sorts them',
    async (sort) => {
      fill(1703);
      const wanted: string[] = [];
      for (let page = 1; page <= 4; page += 1) {
        const query = `page=${page}&perPage=500&sort=${sort || '-created'}`;
        const list = await call('GET', `/api/collections/audit/records?${query}`, { as: admin });
        wanted.push(...(list.json.items as AnyRow[]).map(({ id }) => String(id)));
      }
      expect(wanted).toHaveLength(1703);
      const found = await idsOf(`sort=${sort}&filter=${encodeURIComponent("id ~ 'row'")}`);
      expect(found).toEqual(wanted);
    },
  );

  test('holds what the filter lets through', async () => {
    fill(50);
    const found = await idsOf(`filter=${encodeURIComponent("user = 'u1' && (action = 'a1' || action = 'a2')")}`);
    expect(found.sort()).toEqual(['01', '07', '16', '22', '31', '37', '46'].map((end) => `row0000000000${end}`));
  });

  test('leaves out what is added while it runs', async () => {
    fill(3);
    const pages = walkRecords(audit, system, { filter: '', sort: 'created', pageSize: 2 });
    expect(pages.next().value).toHaveLength(2);
    await write((tx) => tx.insert(audit, { action: 'audit.export' }));
    expect([...pages].flat()).toHaveLength(1);
  });

  test('as CSV is a file whose cells no spreadsheet runs', async () => {
    const values = { action: 'account.update', userName: '=HYPERLINK("http://evil")', recordName: '@x, "y"\nz' };
    await write((tx) => tx.insert(audit, values as never));
    const { response, text } = await download('format=csv');
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="berth-audit-[\d-]{10}\.csv"$/);
    const [head, row] = text.split('\r\n');
    expect(head).toBe(
      '"id","created","user","userName","action","outcome","collection","record","recordName","address","userAgent","via","details"',
    );
    expect(row).toContain(`,"'=HYPERLINK(""http://evil"")","account.update",`);
    expect(row).toContain(`,"'@x, ""y""\nz",`);
  });

  test('is itself in the log', async () => {
    await download('format=csv&filter=');
    const [row] = new StoreReader().find(audit, {});
    expect(row).toMatchObject({ action: 'audit.export', user: admin.id, details: { format: 'csv', filter: '' } });
  });

  test('of nothing is an empty list, or a head alone', async () => {
    const none = `filter=${encodeURIComponent("id = 'x'")}`;
    expect(JSON.parse((await download(`format=json&${none}`)).text)).toEqual([]);
    expect((await download(`format=csv&${none}`)).text.split('\r\n')).toHaveLength(2);
  });

  test('reads no further than it is taken', async () => {
    fill(20_000);
    const response = await send(`${PATH}?format=json`, { as: admin });
    const reader = response.body!.getReader();
    await reader.read();
    getDb().sqlite.exec("DELETE FROM audit WHERE id > 'row000000000000'");
    let rest = '';
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      rest += new TextDecoder().decode(part.value);
    }
    expect(rest.split('"id"').length).toBeLessThan(5000);
  });
});

describe('who may export', () => {
  test('admins, by their token or by a file token in the address; nobody else', async () => {
    fill(1);
    const key = (user: { id: string }) => new StoreReader().get(users, user.id)!;
    const tokens = [issueToken(key(admin), 'file', users.id), issueToken(key(admin), 'adminFile', users.id)];
    for (const token of tokens) expect((await send(`${PATH}?token=${token}`)).status).toBe(200);
    const before = JSON.stringify(new StoreReader().find(audit, {}));
    expect((await download('', person)).response.status).toBe(403);
    expect((await send(`${PATH}?token=${issueToken(key(person), 'file', users.id)}`)).status).toBe(403);
    expect((await send(PATH)).status).toBe(401);
    expect(JSON.stringify(new StoreReader().find(audit, {}))).toBe(before);
  });

  test.each([
    'format=xml',
    'filter=(',
    'filter=nothing%3D1',
    'sort=nothing',
    'sort=details',
    'sort=@random',
    'sort=id,id,id,id,id,id',
  ])('is refused %s', async (query) => {
    const { response, text } = await download(query);
    expect([response.status, (JSON.parse(text) as AnyRow).code]).toEqual([400, 400]);
    expect(new StoreReader().find(audit, {})).toEqual([]);
  });
});
