import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { users } from '@/lib/accounts/collection';
import { watchAccess } from '@/lib/auth/watch-access';
import { audit } from '@/lib/audit/collection';
import { groups } from '@/lib/groups/collection';
import { groupMembers } from '@/lib/groups/members';
import { workspaceLoginPermissions } from '@/lib/workspaces/login-permissions';
import { workspacePermissions } from '@/lib/workspaces/permissions';
import { workspaces } from '@/lib/workspaces/collection';
import type { Actor } from '@/lib/policies/actor';
import type { AnyRow } from '@/lib/records/collection';
import { StoreReader } from '@/lib/records/transaction';
import { call } from '../setup/call';
import { openPrivateDatabase } from '../setup/database';
import {
  createDomain,
  createFile,
  createGroup,
  createHost,
  createImage,
  createNetwork,
  createPerson,
  createVolume,
  createWorkspace,
  grantTo,
} from '../setup/world';

openPrivateDatabase();

type Person = Extract<Actor, { kind: 'user' }>;

let admin: Person;
let owner: Person;
let member: Person;
let stranger: Person;
let group: AnyRow;
let workspace: AnyRow;

const url = (collection: string, id = '') => `/api/collections/${collection}/records${id && `/${id}`}`;
const reader = () => new StoreReader();
const memberCount = () => reader().get(groups, String(group.id))!.memberCount;
const membershipOf = (person: Person) => reader().find(groupMembers, { user: person.id, group: String(group.id) })[0]!;
const fieldsOf = (answer: { json: AnyRow }) => answer.json.data as Record<string, { code: string; message: string }>;

beforeAll(async () => {
  admin = await createPerson({ isAdmin: true, name: 'Bob' });
  owner = await createPerson();
});
beforeEach(async () => {
  [member, stranger] = [await createPerson({ name: 'Ann' }), await createPerson()];
  group = await createGroup([member]);
  const host = await createHost();
  workspace = await createWorkspace({ created_by: owner.id, host: host.id });
});

describe('a group', () => {
  test('is made by admins, named once, and seen by whoever is logged in', async () => {
    const body = { name: `Course ${String(group.id)}`, description: 'Spring', memberCount: 12 };
    expect((await call('POST', url('groups'), { as: owner, body })).status).toBe(400);
    const made = await call('POST', url('groups'), { as: admin, body });
    expect(made.json).toMatchObject({ name: body.name, created_by: admin.id, memberCount: 0 });
    const twin = await call('POST', url('groups'), { as: admin, body });
    expect(fieldsOf(twin).name).toEqual({
      code: 'validation_not_unique',
      message: 'This name is already taken by another group.',
    });
    const nameless = await call('POST', url('groups'), { as: admin, body: { name: '' } });
    expect(fieldsOf(nameless).name!.code).toBe('validation_required');
    expect((await call('GET', url('groups', String(group.id)), { as: stranger })).status).toBe(200);
    expect((await call('GET', url('groups', String(group.id)), {})).status).toBe(404);
    expect((await call('PATCH', url('groups', String(group.id)), { as: member, body: { name: 'x' } })).status).toBe(
      404,
    );
  });

  test('has members that admins and members see, and that admins choose', async () => {
    const body = { group: group.id, user: stranger.id, source: 'single sign-on' };
    expect((await call('POST', url('group_members'), { as: member, body })).status).toBe(400);
    expect((await call('GET', url('group_members'), { as: stranger })).json.totalItems).toBe(0);
    const made = await call('POST', url('group_members'), { as: admin, body });
    expect(made.json).toMatchObject({ group: group.id, user: stranger.id, source: 'manual' });
    expect(memberCount()).toBe(2);
    const again = await call('POST', url('group_members'), { as: admin, body });
    expect(again.json.message).toBe('Selected user is already in this group.');
    const seen = await call('GET', `${url('group_members')}?filter=group='${String(group.id)}'`, { as: member });
    expect(seen.json.totalItems).toBe(2);
    const of = url('group_members', String(made.json.id));
    expect((await call('PATCH', of, { as: admin, body: { user: owner.id } })).status).toBe(403);
    expect((await call('DELETE', of, { as: member })).status).toBe(404);
    expect((await call('DELETE', of, { as: admin })).status).toBe(204);
    expect(memberCount()).toBe(1);
    const told = reader().find(audit, { record: String(made.json.id) });
    expect(told.map(({ action, recordName }) => [action, recordName])).toEqual([
      ['group.addMember', group.name],
      ['group.removeMember', group.name],
    ]);
  });

  test('loses a member whose account goes', async () => {
    expect((await call('DELETE', url('users', member.id), { as: admin })).status).toBe(204);
    expect(reader().find(groupMembers, { group: String(group.id) })).toEqual([]);
    expect(memberCount()).toBe(0);
  });

  test('takes its permissions and its members along, in one transaction', async () => {
    await grantTo({ group }, 'workspace', { on: workspace, flags: ['view'] });
    await grantTo({ group }, 'host', { on: { id: workspace.host }, flags: ['view'] });
    await grantTo(member, 'host', { on: { id: workspace.host }, flags: ['view'] });
    expect((await call('DELETE', url('groups', String(group.id)), { as: admin })).status).toBe(204);
    expect(reader().find(workspacePermissions, { workspace: String(workspace.id) })).toEqual([]);
    expect(reader().find(groupMembers, { group: String(group.id) })).toEqual([]);
    const left = await call('GET', url('host_permissions'), { as: member });
    expect(left.json.totalItems).toBe(1);
    expect((await call('GET', url('workspaces', String(workspace.id)), { as: member })).status).toBe(404);
    expect(reader().get(users, member.id)).toBeDefined();
  });
});

describe('a permission of a group', () => {
  const kinds: [kind: string, flag: string, make: () => Promise<AnyRow>][] = [
    ['host', 'view', () => createHost({ created_by: owner.id })],
    ['image', 'deploy', () => createImage({ created_by: owner.id })],
    ['workspace', 'attach', () => createWorkspace({ created_by: owner.id })],
    ['volume', 'attach', () => createVolume({ created_by: owner.id })],
    ['network', 'attach', () => createNetwork({ created_by: owner.id })],
    ['file', 'view', () => createFile({ created_by: owner.id })],
    ['domain', 'deploy', () => createDomain({ created_by: owner.id })],
  ];
  const logIn: [string, AnyRow] = ['workspace_login', { url: 'https://a.example.org' }];

  test.each(kinds)('on a %s is given as to a person, once, and to one of both', async (kind, flag, make) => {
    const on = await make();
    const give = (body: AnyRow) =>
      call('POST', url(`${kind}_permissions`), { as: owner, body: { [kind]: on.id, [flag]: true, ...body } });
    const seenBy = async (as: Person) => (await call('GET', url(`${kind}s`, String(on.id)), { as })).status;
    expect(await seenBy(member)).toBe(404);
    expect(fieldsOf(await give({})).user).toEqual({ code: 'validation_required', message: 'Missing required value.' });
    expect(fieldsOf(await give({ user: stranger.id, group: group.id })).group!.code).toBe('validation_one_holder');
    expect(fieldsOf(await give({ group: 'abcdefghijklmno' })).group!.code).toBe('validation_missing_rel_records');
    const given = await give({ group: group.id, set_by: stranger.id });
    expect(given.json).toMatchObject({ user: '', group: group.id, set_by: owner.id, [flag]: true });
    expect((await give({ group: group.id })).json.message).toBe(
      `Selected group already has permission to this ${kind}.`,
    );
    expect((await give({ user: member.id })).status).toBe(200);
    expect((await give({ user: member.id })).json.message).toBe(
      `Selected user already has permission to this ${kind}.`,
    );
    const of = url(`${kind}_permissions`, String(given.json.id));
    const moved = await call('PATCH', of, { as: owner, body: { group: '', user: stranger.id } });
    expect(fieldsOf(moved)).toMatchObject({ group: {}, user: {} });
    expect([await seenBy(member), await seenBy(stranger)]).toEqual([200, 404]);
    expect((await call('PATCH', of, { as: member, body: { [flag]: false } })).status).toBe(404);
  });

  test('to log in at an address is of that address, once a group', async () => {
    const [kind, extra] = logIn;
    const body = { workspace: workspace.id, group: group.id, ...extra };
    expect((await call('POST', url(`${kind}_permissions`), { as: owner, body })).status).toBe(200);
    const again = await call('POST', url(`${kind}_permissions`), { as: owner, body });
    expect(again.json.message).toBe('Selected group already has permission to this workspace.');
    const both = { ...body, user: stranger.id };
    const refused = await call('POST', url(`${kind}_permissions`), { as: owner, body: both });
    expect(fieldsOf(refused).group!.code).toBe('validation_one_holder');
  });

  test('on a workspace brings its addresses, and takes them away', async () => {
    const domain = await createDomain({ url: `${String(group.id)}.example.org` });
    const externalUrls = [
      { scheme: 'https', subdomain: 'lab', domain: domain.id, port: 80, authentication: 'internal', users: [] },
    ];
    const on = await createWorkspace({ created_by: owner.id, externalUrls });
    const body = { workspace: on.id, group: group.id, view: true };
    const given = await call('POST', url('workspace_permissions'), { as: owner, body });
    const logIns = () => reader().find(workspaceLoginPermissions, { workspace: String(on.id) });
    expect(logIns()).toMatchObject([
      { group: group.id, user: '', set_by: owner.id, url: `https://lab.${String(domain.url)}` },
    ]);
    await call('DELETE', url('workspace_permissions', String(given.json.id)), { as: owner });
    expect(logIns()).toEqual([]);
  });

  test('is gone for whoever leaves the group, at once and in kept answers too', async () => {
    await grantTo({ group }, 'workspace', { on: workspace, flags: ['view'] });
    const list = async () => (await call('GET', `${url('workspaces')}?can=1`, { as: member })).json.totalItems;
    expect([await list(), await list()]).toEqual([1, 1]);
    await call('DELETE', url('group_members', membershipOf(member).id), { as: admin });
    expect(await list()).toBe(0);
    await call('POST', url('group_members'), { as: admin, body: { group: group.id, user: member.id } });
    expect(await list()).toBe(1);
  });
});

describe('what goes on while somebody may', () => {
  const watch = () => watchAccess(member, { collection: workspaces, id: String(workspace.id), act: 'attach' }).signal;

  test.each<[string, (permission: AnyRow) => Promise<unknown>]>([
    ['who leaves the group', () => call('DELETE', url('group_members', membershipOf(member).id), { as: admin })],
    ['whose group is deleted', () => call('DELETE', url('groups', String(group.id)), { as: admin })],
    [
      'whose group loses the permission',
      ({ id }) => call('DELETE', url('workspace_permissions', String(id)), { as: owner }),
    ],
    [
      'whose group loses the flag',
      ({ id }) => call('PATCH', url('workspace_permissions', String(id)), { as: owner, body: { attach: false } }),
    ],
  ])('ends for one %s', async (_, takeAway) => {
    const permission = await grantTo({ group }, 'workspace', { on: workspace, flags: ['attach'] });
    const signal = watch();
    await grantTo({ group: await createGroup([stranger]) }, 'workspace', { on: workspace, flags: ['view'] });
    expect(signal.aborted).toBe(false);
    await takeAway(permission);
    expect(signal.aborted).toBe(true);
  });

  test('goes on for one who holds it in another way', async () => {
    await grantTo({ group }, 'workspace', { on: workspace, flags: ['attach'] });
    await grantTo({ group: await createGroup([member, stranger]) }, 'workspace', { on: workspace, flags: ['attach'] });
    const signal = watch();
    await call('DELETE', url('groups', String(group.id)), { as: admin });
    expect(signal.aborted).toBe(false);
  });
});
