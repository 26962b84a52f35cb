import { beforeAll, describe, expect, test } from 'vitest';
import type { AnyRow } from '@/lib/records/collection';
import type { Why } from '@/lib/api/permissions/why';
import type { Reach } from '@/lib/api/permissions/reach';
import { api } from '../setup/api';
import { call } from '../setup/call';
import { openPrivateDatabase } from '../setup/database';
import { createDomain, createGroup, createPerson, createVolume, createWorkspace, grantTo } from '../setup/world';

openPrivateDatabase();

type Person = Awaited<ReturnType<typeof createPerson>>;
const people = {} as Record<'bob' | 'owner' | 'ann' | 'zoe' | 'nobody', Person>;
let course: AnyRow;
let workspace: AnyRow;
let given: AnyRow;

beforeAll(async () => {
  people.bob = await createPerson({ isAdmin: true, name: 'Bob' });
  people.owner = await createPerson({ name: 'Owner' });
  people.ann = await createPerson({ name: 'Ann' });
  people.zoe = await createPerson({ name: 'Zoe', isAdmin: true });
  people.nobody = await createPerson();
  course = await createGroup([people.ann], { name: 'Course A' });
  const domain = await createDomain({ url: 'why.example.org' });
  const externalUrls = [
    { scheme: 'https', subdomain: 'lab', domain: domain.id, port: 80, authentication: 'internal', users: [] },
    { scheme: 'https', subdomain: 'open', domain: domain.id, port: 80, authentication: 'none', users: [] },
  ];
  workspace = await createWorkspace({ created_by: people.owner.id, externalUrls, name: 'lab' });
  const body = { workspace: workspace.id, group: course.id, view: true, deploy: true };
  given = (await call('POST', '/api/collections/workspace_permissions/records', { as: people.bob, body })).json;
  await grantTo(people.ann, 'workspace', { on: workspace, flags: ['view'] });
});

const ask = (as: Person | undefined, user: Person, query: Record<string, unknown> = {}) => {
  const asked = { collection: 'workspaces', record: workspace.id, user: user.id, ...query };
  return api('GET', `/api/permissions/why?${new URLSearchParams(asked as Record<string, string>).toString()}`, { as });
};
const actOf = ({ json }: { json: AnyRow }, act: string) =>
  (json as unknown as Why).acts.find((each) => each.act === act)!;
const kindsOf = (answer: { json: AnyRow }, act: string) => actOf(answer, act).grounds.map(({ kind }) => kind);

describe('why somebody may', () => {
  test('names the permission, the group that holds it, and who gave it when', async () => {
    const answer = await ask(people.owner, people.ann);
    expect(answer.status).toBe(200);
    expect(actOf(answer, 'deploy')).toEqual({
      act: 'deploy',
      may: true,
      grounds: [
        {
          kind: 'grant',
          flags: ['deploy'],
          permission: given.id,
          group: { id: course.id, name: 'Course A' },
          setBy: { id: people.bob.id, name: 'Bob' },
          at: given.updated,
        },
      ],
    });
    expect(actOf(answer, 'view').grounds).toMatchObject([
      { group: null, setBy: null, flags: ['view'] },
      { group: { name: 'Course A' }, flags: ['view', 'deploy'] },
    ]);
    expect(actOf(answer, 'modify')).toEqual({ act: 'modify', may: false, grounds: [] });
  });

  test('says who made it, and that nobody gave it', async () => {
    expect(kindsOf(await ask(people.owner, people.owner), 'delete')).toEqual(['owner']);
    const none = (await ask(people.owner, people.nobody)).json as unknown as Why;
    expect(none.acts.filter(({ may }) => may)).toEqual([]);
    expect(none.addresses).toEqual([{ url: 'https://lab.why.example.org', may: false, grounds: [] }]);
  });

  test('tells of the addresses that ask who comes', async () => {
    const { addresses } = (await ask(people.owner, people.ann)).json as unknown as Why;
    expect(addresses).toMatchObject([
      {
        url: 'https://lab.why.example.org',
        may: true,
        grounds: [{ kind: 'grant', group: { name: 'Course A' }, setBy: { name: 'Bob' } }],
      },
    ]);
  });

  test('tells who is an admin to admins and to themselves alone', async () => {
    const [toBob, toSelf, toOwner] = [
      await ask(people.bob, people.zoe),
      await ask(people.zoe, people.zoe),
      await ask(people.owner, people.zoe),
    ];
    expect([kindsOf(toBob, 'view'), kindsOf(toSelf, 'view'), kindsOf(toOwner, 'view')]).toEqual([
      ['admin'],
      ['admin'],
      [],
    ]);
    const isWithout = [toBob, toSelf, toOwner].map(({ json }) => json.isWithoutAdmins);
    expect(isWithout).toEqual([false, false, true]);
  });

  test('is for whoever shares the record, and for everyone of themselves', async () => {
    expect((await ask(undefined, people.ann)).status).toBe(401);
    expect((await ask(people.nobody, people.nobody)).status).toBe(404);
    expect((await ask(people.nobody, people.ann)).status).toBe(404);
    expect((await ask(people.ann, people.ann)).status).toBe(200);
    expect((await ask(people.ann, people.owner)).status).toBe(403);
    expect((await ask(people.bob, people.ann, { user: 'nobody' })).status).toBe(404);
    for (const collection of ['users', 'settings', 'toString', '', 'workspace_permissions']) {
      expect((await ask(people.bob, people.ann, { collection })).status).toBe(404);
    }
  });
});

describe('what somebody may reach', () => {
  const reach = (as: Person | undefined, user: Person) => api('GET', `/api/permissions/reach?user=${user.id}`, { as });
  const kindOf = ({ json }: { json: AnyRow }, kind: string) =>
    (json as unknown as Reach).kinds.find((each) => each.kind === kind);

  test('is what they made, what they were given, and what their groups hold', async () => {
    const volume = await createVolume({ created_by: people.ann.id, name: 'mine' });
    const answer = await reach(people.bob, people.ann);
    expect(answer.status).toBe(200);
    expect(kindOf(answer, 'volumes')).toMatchObject({
      total: 1,
      items: [{ id: volume.id, grounds: [{ kind: 'owner' }] }],
    });
    expect(kindOf(answer, 'workspaces')!.items).toMatchObject([
      { name: 'lab', acts: ['view', 'deploy'], grounds: [{ group: null }, { group: { name: 'Course A' } }] },
    ]);
    expect(kindOf(answer, 'workspace_login_permissions')!.items).toMatchObject([
      { id: workspace.id, name: 'lab', url: 'https://lab.why.example.org', grounds: [{ group: { name: 'Course A' } }] },
    ]);
    expect(kindOf(answer, 'hosts')).toBeUndefined();
  });

  test('of an admin is what they would reach without being one', async () => {
    expect((await reach(people.bob, people.zoe)).json).toEqual({ isAdmin: true, kinds: [] });
  });

  test('is for admins, and for everyone of themselves', async () => {
    expect((await reach(people.ann, people.ann)).status).toBe(200);
    expect((await reach(people.ann, people.owner)).status).toBe(404);
    expect((await reach(people.bob, { ...people.ann, id: '' })).status).toBe(404);
    expect((await reach(undefined, people.ann)).status).toBe(401);
  });
});
