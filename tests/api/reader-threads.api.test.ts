import { expect, test } from 'vitest';
import { hosts } from '@/lib/hosts/collection';
import type { Actor } from '@/lib/policies/actor';
import { queryFor } from '@/lib/records/query';
import { listRecords, listText, type ListOptions } from '@/lib/records/reader';
import { noteReadTime } from '@/lib/records/read-speed';
import { readAside } from '@/lib/records/reader-threads';
import { write } from '@/lib/records/transaction';
import { workspaces } from '@/lib/workspaces/collection';
import { openPrivateDatabase } from '../setup/database';
import { createHost, createPerson, createWorkspace, grantTo } from '../setup/world';

/** Lists that a thread reads: the same answers, each account in its turn. */
openPrivateDatabase();

let asks = 0;

/** The list as a thread reads it. */
async function aside(actor: Actor, options: ListOptions): Promise<string> {
  const source = { filter: options.filter ?? '', sort: options.sort ?? '', rule: 'list' } as const;
  noteReadTime(queryFor(workspaces, actor, source).page.sql, Infinity);
  asks += 1;
  const text = listText(workspaces, actor, { ...options, asked: String(asks) });
  expect(text).toBeInstanceOf(Promise);
  return text;
}

test('a thread answers what is read here', async () => {
  const [ada, bob] = [await createPerson(), await createPerson()];
  const host = await createHost({ created_by: ada.id });
  for (const created_by of [ada.id, bob.id, ada.id, ada.id]) {
    const workspace = await createWorkspace({ host: host.id, created_by, description: `it's ${created_by}` });
    await grantTo(bob, 'workspace', { on: workspace, flags: ['view'] });
  }
  for (const actor of [ada, bob, { kind: 'guest' } as Actor]) {
    for (const options of [
      {},
      { filter: "name ~ 'work'", sort: '-name,created', perPage: 2, page: 2 },
      { filter: 'workspace_permissions_via_workspace.view ?= true', expand: 'host.workspaces_via_host', can: true },
      { filter: "workspace_permissions_via_workspace.user != '' && created < @now", skipTotal: true },
      { sort: 'workspace_permissions_via_workspace.user', fields: 'id,name' },
      { filter: 'description ~ "it\'s" && environmentVariables:length = 0' },
    ]) {
      const here = (() => {
        try {
          return JSON.stringify(listRecords(workspaces, actor, options));
        } catch (error) {
          return (error as Error).message;
        }
      })();
      const there = await aside(actor, options).catch((error: Error) => error.message);
      expect(there).toBe(here);
    }
  }
});

test('a thread sees what its caller has just written', async () => {
  const ada = await createPerson();
  const workspace = await createWorkspace({ created_by: ada.id });
  for (let turn = 0; turn < 20; turn += 1) {
    await write((tx) => tx.patch(workspaces, String(workspace.id), { name: `turn-${turn}` }));
    expect(await aside(ada, { filter: "name ~ 'turn'" })).toContain(`"turn-${turn}"`);
  }
});

/** Takes long, and asks for the time at each row. */
const slow = {
  sql: `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE berth_within_time(i)) SELECT COUNT(*) FROM n`,
  params: [],
};
const quick = { sql: 'SELECT 1', params: [] };

test('a thread stops at the deadline, refuses what is too much, and can write nothing', async () => {
  await expect(readAside([slow], 'ada')).rejects.toThrow('This takes too long');
  const rows = `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT hex(zeroblob(5000)) FROM n`;
  await expect(readAside([{ sql: rows, params: [] }], 'ada')).rejects.toThrow('larger than 8 MB');
  const name = hosts.map.name;
  await expect(readAside([{ sql: `DELETE FROM ${name}`, params: [] }], 'ada')).rejects.toThrow();
  expect((await readAside([quick], 'ada')).rows).toEqual([[[1]]]);
});

test('who asks for much has others wait for none of it', async () => {
  const mine = Array.from({ length: 101 }, () => readAside([slow], 'ada').catch((error: Error) => error.message));
  await expect(Promise.all(Array.from({ length: 5 }, () => readAside([slow], 'ada')))).rejects.toThrow(
    'Too many lists',
  );
  const startMs = performance.now();
  expect((await readAside([quick], 'bob')).rows).toEqual([[[1]]]);
  expect(performance.now() - startMs).toBeLessThan(1500);
  expect(mine).toHaveLength(101);
});
