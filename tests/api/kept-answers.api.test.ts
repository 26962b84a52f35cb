import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { getDb } from '@/db/database';
import { hosts } from '@/lib/hosts/collection';
import { users } from '@/lib/accounts/collection';
import { workspacePermissions } from '@/lib/workspaces/permissions';
import { workspaces } from '@/lib/workspaces/collection';
import type { Actor } from '@/lib/policies/actor';
import type { AnyRow, Collection } from '@/lib/records/collection';
import { listRecords, listText, viewText, type ListOptions } from '@/lib/records/reader';
import { write } from '@/lib/records/transaction';
import { markSeen } from '@/lib/hosts/link/host-identities';
import { openPrivateDatabase } from '../setup/database';
import { createHost, createPerson, createWorkspace, grantTo } from '../setup/world';

openPrivateDatabase();

/** What a page asks for: everything that an answer can depend on. */
const QUESTIONS: { collection: Collection; options: ListOptions }[] = [
  { collection: workspaces, options: {} },
  { collection: workspaces, options: { expand: 'host,created_by', can: true, sort: '-name', perPage: 5 } },
  {
    collection: workspaces,
    options: { filter: "host.name ~ 'host' && workspace_permissions_via_workspace.view ?= true" },
  },
  { collection: workspaces, options: { filter: 'created < @now', fields: 'id,name' } },
  { collection: hosts, options: { expand: 'workspaces_via_host.created_by', can: true } },
  { collection: users, options: { fields: 'id,username,email,isAdmin' } },
  { collection: workspacePermissions, options: { expand: 'user,workspace.host' } },
];

async function expectFresh(actors: readonly Actor[], step: string): Promise<void> {
  for (const actor of actors) {
    for (const { collection, options } of QUESTIONS) {
      const asked = JSON.stringify(options);
      const kept = await listText(collection, actor, { ...options, asked });
      expect(kept, `${step}: ${collection.name}?${asked}`).toBe(
        JSON.stringify(listRecords(collection, actor, options)),
      );
    }
  }
}

async function world() {
  const [ada, bob, admin] = [await createPerson(), await createPerson(), await createPerson({ isAdmin: true })];
  const host = await createHost();
  const workspace = await createWorkspace({ host: host.id, created_by: ada.id });
  return { ada, bob, admin, host, workspace };
}

const change = (collection: Collection, { id }: { id?: unknown }, values: AnyRow) =>
  write((tx) => tx.patch(collection, String(id), values as never));

describe('a kept answer', () => {
  it('is what a fresh read would say, after each kind of change', async () => {
    const { ada, bob, admin, host, workspace } = await world();
    const actors = [ada, bob, admin];
    await expectFresh(actors, 'at first');
    const grant = await grantTo(bob, 'workspace', { on: workspace, flags: ['view'] });
    await expectFresh(actors, 'a grant');
    await change(workspacePermissions, grant, { view: false, deploy: true });
    await expectFresh(actors, 'another flag');
    await change(hosts, host, { name: 'renamed' });
    await expectFresh(actors, 'a related record');
    await change(users, ada, { name: 'Ada', emailVisibility: true });
    await expectFresh(actors, 'a person');
    await change(workspaces, workspace, { name: 'other' });
    await createWorkspace({ host: host.id, created_by: bob.id });
    await expectFresh(actors, 'one more');
    await write((tx) => tx.remove(workspacePermissions, String(grant.id)));
    await write((tx) => tx.remove(workspaces, String(workspace.id)));
    await expectFresh(actors, 'removals');
    const seen = { nowMs: 1, wireDate: '2030-01-01 00:00:00.000Z', appliedRevision: 0, protocol: 2 };
    await write((tx) => markSeen(tx, String(host.id), seen));
    await expectFresh(actors, 'a heartbeat');
  });

  it('is not that of a caller who has other rights', async () => {
    const { ada, bob, workspace } = await world();
    const ask = (actor: Actor) => viewText(workspaces, actor, { id: String(workspace.id), asked: '' });
    expect(ask(ada)).toContain(String(workspace.id));
    expect(() => ask(bob)).toThrow("The requested resource wasn't found.");
    expect(ask({ ...bob, isAdmin: true })).toContain(String(workspace.id));
    expect(() => ask(bob)).toThrow("The requested resource wasn't found.");
  });

  it('gives way to what another process writes', async () => {
    const { ada, workspace } = await world();
    const ask = () => viewText(workspaces, ada, { id: String(workspace.id), asked: '' });
    expect(ask()).toContain(String(workspace.name));
    const other = new Database(getDb().sqlite.name);
    other.prepare('UPDATE workspaces SET name = ? WHERE id = ?').run('from outside', workspace.id);
    other.close();
    await new Promise((resolve) => setImmediate(resolve));
    expect(ask()).toContain('from outside');
  });

  it('is read once while nothing changes, and anew where it is left to chance or to the clock', async () => {
    const { ada } = await world();
    for (let index = 0; index < 8; index += 1) await createWorkspace({ created_by: ada.id });
    const ask = (options: ListOptions) => listText(workspaces, ada, { ...options, asked: JSON.stringify(options) });
    const random = new Set(await Promise.all(Array.from({ length: 20 }, () => ask({ sort: '@random' }))));
    expect(random.size).toBeGreaterThan(1);
    expect(await ask({ sort: 'name' })).toBe(await ask({ sort: 'name' }));
  });
});
