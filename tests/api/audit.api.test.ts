import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { getDb } from '@/db/client';
import { apiKernel } from '@/lib/api/kernel';
import { startSession } from '@/lib/auth/sessions';
import { issueToken } from '@/lib/auth/tokens';
import { nowMs, setClock } from '@/lib/clock';
import { audit } from '@/lib/audit/collection';
import { users } from '@/lib/accounts/collection';
import { externalAuths } from '@/lib/accounts/external-auths';
import { AUDIT_ACTIONS } from '@/lib/vocabulary/audit';
import { collections } from '@/lib/api/collections';
import { auditWrite } from '@/lib/audit/writes';
import { newId } from '@/lib/ids';
import { hashPassword } from '@/lib/passwords';
import { isClosed } from '@/lib/policies/evaluate';
import { sweepAudit } from '@/lib/records/audit';
import type { AnyRow } from '@/lib/records/collection';
import { StoreReader, write } from '@/lib/records/transaction';
import { call, send } from '../setup/call';
import { openPrivateDatabase } from '../setup/database';
import { everything } from '../setup/snapshot';
import { createHost, createImage, createUser, createWorkspace, grantTo } from '../setup/world';
import { callKernel } from './kernel-caller';

openPrivateDatabase();

const PASSWORD = 'Secret123!';
const USERS = '/api/collections/users';
const recordsOf = (collection: string, id = '') => `/api/collections/${collection}/records${id && `/${id}`}`;
type User = AnyRow & { id: string };
let admin: User;
let person: User;
let host: AnyRow;
let image: AnyRow;
let passwordHash: string;
let lastRow = 0;

beforeAll(async () => {
  passwordHash = await hashPassword(PASSWORD);
  admin = await createUser({ isAdmin: true, passwordHash, name: 'Grace' });
  host = await createHost();
  image = await createImage({ build_on: host.id });
});

beforeEach(async () => {
  person = await createUser({ passwordHash, name: 'Ada' });
  newRows();
});

/** What was added since the last look. */
function newRows(): AnyRow[] {
  const rows = getDb()
    .sqlite.prepare('SELECT rowid, * FROM audit WHERE rowid > ? ORDER BY rowid')
    .all(lastRow) as AnyRow[];
  lastRow = Number(rows.at(-1)?.rowid ?? lastRow);
  return rows.map((row) => ({ ...row, details: JSON.parse(String(row.details)) as unknown }));
}

const as = (user: User) => ({ as: user });
const adminToken = () => ({ token: issueToken(new StoreReader().get(users, admin.id)!, 'adminAuth', users.id) });
const mailed = (purpose: 'passwordReset' | 'verification' | 'emailChange', newEmail?: string) =>
  issueToken(new StoreReader().get(users, person.id)!, purpose, users.id, { email: String(person.email), newEmail });
const actions = (rows: AnyRow[]) => rows.map((row) => `${String(row.action)}${row.outcome === 'failure' ? ' ✗' : ''}`);
const about = (collection: string, record: unknown) => expect.objectContaining({ collection, record });

async function expectRow(act: () => Promise<{ status: number }>, wanted: AnyRow): Promise<void> {
  expect((await act()).status).toBeLessThan(300);
  // A sign-in does not wait for its row: it comes with the next writes.
  await write(() => undefined);
  expect(newRows()).toEqual([expect.objectContaining({ outcome: 'success', ...wanted })]);
}

describe('a sign-in', () => {
  const signIn = (identity: unknown, password: string, at = USERS) =>
    callKernel(apiKernel(), {
      method: 'POST',
      url: `${at}/auth-with-password`,
      address: '192.0.2.7',
      headers: { 'user-agent': 'Tester/1.0', 'content-type': 'application/json' },
      body: JSON.stringify({ identity, password }),
    });
  const from = { address: '192.0.2.7', user_agent: 'Tester/1.0', via: 'password' };

  test('is told with who and from where', async () => {
    await expectRow(() => signIn(person.email, PASSWORD), {
      action: 'signIn.password',
      user: person.id,
      user_name: 'Ada',
      ...from,
    });
    await expectRow(() => signIn(admin.email, PASSWORD, '/api/admins'), { action: 'signIn.admin', user: admin.id });
  });

  test('that fails is told with what was tried, never with the password', async () => {
    await signIn(person.email, 'Wr0ng!pass');
    await signIn(`${'x'.repeat(300)}@example.com`, 'Wr0ng!pass');
    await signIn(person.email, PASSWORD, '/api/admins');
    const rows = newRows();
    expect(actions(rows)).toEqual(['signIn.password ✗', 'signIn.password ✗', 'signIn.admin ✗']);
    expect(rows[0]).toMatchObject({ user: person.id, details: { identity: person.email }, ...from });
    expect(rows[1]).toMatchObject({ user: '', details: { identity: 'x'.repeat(100) } });
    expect(JSON.stringify(rows)).not.toContain('Wr0ng');
  });

  test('through a provider that fails is told', async () => {
    await call('POST', `${USERS}/auth-with-oauth2`, { body: { provider: 'oidc', code: 'c' } });
    expect(newRows()).toEqual([expect.objectContaining({ action: 'signIn.provider', outcome: 'failure', user: '' })]);
  });

  test('works also while the log can not be written', async () => {
    getDb().sqlite.exec('ALTER TABLE audit RENAME TO audit_away');
    try {
      expect((await signIn(person.email, PASSWORD)).status).toBe(200);
      expect((await signIn(person.email, 'wrong')).status).toBe(400);
    } finally {
      getDb().sqlite.exec('ALTER TABLE audit_away RENAME TO audit');
    }
  });

  test('turns into a session that begins and ends', async () => {
    const headers = { 'sec-fetch-site': 'same-origin' };
    const begun = await send('/api/session', { method: 'POST', as: person, headers });
    const cookie = begun.headers.get('set-cookie')!.split(';')[0]!;
    await send('/api/session', { method: 'DELETE', headers: { ...headers, cookie } });
    await call('DELETE', '/api/session/everywhere', as(person));
    const rows = newRows();
    expect(actions(rows)).toEqual(['session.start', 'session.end', 'session.endAll']);
    expect(rows.map(({ user }) => user)).toEqual([person.id, person.id, person.id]);
  });
});

describe('what an account is signed in by', () => {
  test('API tokens are told when made and revoked, without their secret', async () => {
    const made = await call('POST', '/api/tokens', {
      as: person,
      body: { name: 'ci', scope: 'read', expiresInDays: 30 },
    });
    const { token, record } = made.json as { token: string; record: { id: string } };
    await call('DELETE', `/api/tokens/${record.id}`, as(person));
    const rows = newRows();
    expect(actions(rows)).toEqual(['apiToken.create', 'apiToken.delete']);
    expect(rows[0]).toMatchObject({ user: person.id, record: person.id, details: { name: 'ci', scope: 'read' } });
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  test('a session that an admin ends is told with whose it was', async () => {
    const { id } = await startSession(person.id, { address: '', userAgent: '', isSecure: false });
    await expectRow(() => call('DELETE', `/api/sessions/${id}?user=${person.id}`, as(admin)), {
      action: 'session.end',
      user: admin.id,
      record: person.id,
    });
  });
});

describe('an act on an account', () => {
  const patch = (body: AnyRow, who: User = admin) => call('PATCH', recordsOf('users', person.id), { body, as: who });
  const grid: [string, () => Promise<{ status: number }>, string[]][] = [
    ['a new name', () => patch({ name: 'Ada L' }, person), ['account.update']],
    ['nothing', () => patch({ name: 'Ada' }, person), []],
    ['promotion', () => patch({ isAdmin: true }), ['account.promote']],
    ['verification', () => patch({ verified: true }), ['account.verify']],
    ['a new address', () => patch({ email: `${newId()}@example.com` }), ['email.change']],
    ['disabling', () => patch({ enabled: false }), ['account.disable']],
    [
      'several at once',
      () => patch({ isAdmin: true, name: 'Z', language: 'de' }),
      ['account.promote', 'account.update'],
    ],
    [
      'a new password',
      () => patch({ oldPassword: PASSWORD, password: 'Other123!', passwordConfirm: 'Other123!' }, person),
      ['password.change'],
    ],
    ['deletion', () => call('DELETE', recordsOf('users', person.id), as(admin)), ['account.delete']],
    [
      'a reset password',
      () =>
        call('POST', `${USERS}/confirm-password-reset`, {
          body: { token: mailed('passwordReset'), password: 'Other123!', passwordConfirm: 'Other123!' },
        }),
      ['password.reset'],
    ],
    [
      'a verified address',
      () => call('POST', `${USERS}/confirm-verification`, { body: { token: mailed('verification') } }),
      ['account.verify'],
    ],
    [
      'a confirmed new address',
      () =>
        call('POST', `${USERS}/confirm-email-change`, {
          body: { token: mailed('emailChange', `${newId()}@example.com`), password: PASSWORD },
        }),
      ['email.change'],
    ],
  ];

  test.each(grid)('%s is told', async (_, act, wanted) => {
    expect((await act()).status).toBeLessThan(300);
    const rows = newRows();
    expect(actions(rows)).toEqual(wanted);
    for (const row of rows) expect(row).toMatchObject({ collection: 'users', record: person.id });
    expect(JSON.stringify(rows)).not.toContain('Other123!');
    expect(JSON.stringify(rows)).not.toContain('argon2');
  });

  test('names what changed, demotes and enables in words of their own', async () => {
    await patch({ isAdmin: true, enabled: false });
    await patch({ isAdmin: false, enabled: true, language: 'de', name: 'B' });
    const rows = newRows();
    expect(actions(rows).slice(2)).toEqual(['account.demote', 'account.enable', 'account.update']);
    expect(rows.at(-1)).toMatchObject({
      user: admin.id,
      user_name: 'Grace',
      details: { fields: ['name', 'language'] },
    });
  });

  test('creation is told, and a provider that is unlinked', async () => {
    const body = { username: `u${newId()}`, password: PASSWORD, passwordConfirm: PASSWORD };
    await expectRow(() => call('POST', recordsOf('users'), { body, as: admin }), { action: 'account.create' });
    await write((tx) => tx.insert(externalAuths, { recordId: person.id, provider: 'oidc', providerId: newId() }));
    const link = `${recordsOf('users', person.id)}/external-auths/oidc`;
    await expectRow(() => call('DELETE', link, as(person)), { action: 'provider.unlink', user: person.id });
  });
});

describe('a permission', () => {
  const kinds: [string, string, () => Promise<AnyRow>, AnyRow][] = [
    ['host_permissions', 'host', async () => host, { canCreateImages: true }],
    ['image_permissions', 'image', async () => image, { build: true }],
    ['workspace_permissions', 'workspace', () => createWorkspace({ host: host.id, image: image.id }), { deploy: true }],
  ];
  const made = async (collection: string, body: AnyRow): Promise<string> => {
    const answer = await call('POST', recordsOf(collection), { body, as: admin });
    return String(answer.json.id);
  };
  const others = ['volume', 'network', 'file', 'domain', 'workspace_login'] as const;

  test.each(kinds)('in %s is told with who got what', async (collection, field, resourceOf, flags) => {
    const resource = await resourceOf();
    const id = await made(collection, { user: person.id, [field]: resource.id, ...flags });
    await call('PATCH', recordsOf(collection, id), {
      as: admin,
      body: { [Object.keys(flags)[0]!]: false, view: true },
    });
    await call('DELETE', recordsOf(collection, id), as(admin));
    const rows = newRows();
    const whom = { user: person.id, userName: 'Ada', resource: { collection: `${field}s`, id: resource.id } };
    expect(actions(rows)).toEqual(['permission.create', 'permission.update', 'permission.delete']);
    expect(rows.map(({ details }) => details)).toEqual([
      { ...whom, flags: Object.keys(flags) },
      { ...whom, flags: ['view'], flagsBefore: Object.keys(flags) },
      { ...whom, flags: ['view'] },
    ]);
    expect(rows).toEqual(
      rows.map(() => expect.objectContaining({ user: admin.id, record_name: resource.name, record: id })),
    );
  });

  test.each(others)('in %s_permissions is told', async (kind) => {
    const resource = kind === 'workspace_login' ? 'workspace' : kind;
    const row =
      kind === 'workspace_login'
        ? await createWorkspace({ host: host.id, image: image.id })
        : kind === 'file' || kind === 'domain'
          ? await (await import('../setup/world'))[kind === 'file' ? 'createFile' : 'createDomain']({ host: host.id })
          : await (
              await import('../setup/world')
            )[kind === 'volume' ? 'createVolume' : 'createNetwork']({ host: host.id });
    const extra = kind === 'workspace_login' ? { url: 'a.example.org' } : { modify: true };
    const id = await made(`${kind}_permissions`, { user: person.id, [resource]: row.id, ...extra });
    expect(newRows()).toEqual([about(`${kind}_permissions`, id)]);
  });

  test('that goes with a deleted account is told', async () => {
    const permission = await grantTo(person, 'host', { on: host, flags: ['view'] });
    await call('DELETE', recordsOf('users', person.id), as(admin));
    const rows = newRows();
    expect(actions(rows)).toEqual(['permission.delete', 'account.delete']);
    expect(rows[0]).toMatchObject({
      record: permission.id,
      user: admin.id,
      details: { userName: 'Ada', flags: ['view'] },
    });
  });
});

describe('an act on a resource', () => {
  const create = async (collection: string, body: AnyRow): Promise<string> =>
    String((await call('POST', recordsOf(collection), { body, as: admin })).json.id);

  test.each([
    ['volumes', 'volume', () => ({ name: `v${newId()}`, host: host.id }), { name: 'v2' }],
    ['networks', 'network', () => ({ name: `n${newId()}`, host: host.id }), { name: 'n2' }],
    ['domains', 'domain', () => ({ url: 'audit.example.org', host: host.id }), { url: 'b.example.org' }],
    ['recommendations', 'recommendation', () => ({ kind: 'image', name: 'r' }), { stars: 3 }],
    ['settings', 'settings', () => ({ key: `k${newId()}`, value: 's3cret-value' }), { value: 's3cret-two' }],
  ])('%s are told when made, changed and removed', async (collection, noun, body, change) => {
    const id = await create(collection, body());
    await call('PATCH', recordsOf(collection, id), { body: change, as: admin });
    await call('DELETE', recordsOf(collection, id), as(admin));
    const rows = newRows();
    const verbs = noun === 'settings' ? ['update', 'update', 'update'] : ['create', 'update', 'delete'];
    expect(actions(rows)).toEqual(verbs.map((verb) => `${noun}.${verb}`));
    expect(rows).toEqual(rows.map(() => about(collection, id)));
    expect(JSON.stringify(rows)).not.toContain('s3cret');
  });

  test('requests of workspaces and images are told, refused ones are not', async () => {
    const workspace = await createWorkspace({ host: host.id, image: image.id });
    const ask = (kind: string, id: unknown, action: string) =>
      call('POST', `/api/${kind}/${String(id)}/request`, { body: { action }, as: admin });
    for (const action of ['disable', 'enable', 'start', 'stop']) await ask('workspace', workspace.id, action);
    expect((await ask('workspace', workspace.id, 'enable')).status).toBe(400);
    await call('DELETE', recordsOf('workspaces', String(workspace.id)), as(admin));
    for (const action of ['disable', 'enable', 'build', 'cancelBuild']) await ask('image', image.id, action);
    const rows = newRows();
    const verbs = ['disable', 'enable', 'start', 'stop', 'delete'].map((verb) => `workspace.${verb}`);
    expect(actions(rows)).toEqual([...verbs, 'image.disable', 'image.enable', 'image.build', 'image.cancelBuild']);
    expect(rows[0]).toMatchObject({ user: admin.id, record: workspace.id, record_name: workspace.name });
  });

  test('a deleted image is told once, with who deleted it', async () => {
    const other = await createImage({ build_on: host.id });
    await expectRow(() => call('DELETE', recordsOf('images', String(other.id)), as(admin)), {
      action: 'image.delete',
      user: admin.id,
    });
  });

  test('hosts, join tokens and settings are told, by keys only', async () => {
    await expectRow(
      () => call('PATCH', recordsOf('hosts', String(host.id)), { body: { pull_timeout: 7 }, as: admin }),
      {
        action: 'host.update',
        details: { fields: ['pull_timeout'] },
      },
    );
    await expectRow(() => call('POST', '/api/hosts/join-token', { body: { name: 'new' }, as: admin }), {
      action: 'joinToken.create',
      record_name: 'new',
    });
    const body = { sso: { clientSecret: 's3cret' }, cache: { lifetime: 60 } };
    await expectRow(() => call('PATCH', '/api/settings', { body, ...adminToken() }), {
      action: 'settings.update',
      via: 'admin',
      details: { keys: ['sso', 'cache'] },
    });
  });
});

test.each(collections.map((collection) => [collection.name, collection] as const))(
  'what people may do to %s is told',
  async (_, collection) => {
    const open = (['create', 'update', 'delete'] as const).filter((action) => !isClosed(collection.policy[action]));
    const actor = { kind: 'user', id: person.id, isAdmin: true } as const;
    const before = { id: newId(), name: 'before', key: 'before', url: '' };
    await write((tx) => {
      for (const action of open) {
        const row = action === 'update' ? { ...before, name: 'after', key: 'after' } : before;
        auditWrite(collection.name, { action, tx, row, before: action === 'create' ? undefined : before, actor });
      }
    });
    const rows = newRows();
    expect(rows.map((row) => [row.collection, row.user])).toEqual(open.map(() => [collection.name, person.id]));
    for (const { action } of rows) expect(AUDIT_ACTIONS).toContain(action);
  },
);

describe('the log', () => {
  test('is read by admins, and neither by others nor changed by anyone', async () => {
    await call('PATCH', recordsOf('users', person.id), { body: { name: 'New' }, as: person });
    const list = await call(
      'GET',
      `${recordsOf('audit')}?filter=${encodeURIComponent(`user='${person.id}'`)}`,
      as(admin),
    );
    expect(list.json.items).toEqual([expect.objectContaining({ action: 'account.update', userName: 'New' })]);
    const { id } = (list.json.items as AnyRow[])[0]!;
    const url = recordsOf('audit', String(id));
    expect((await call('GET', url, adminToken())).status).toBe(200);
    for (const caller of [as(person), {}]) {
      expect((await call('GET', recordsOf('audit'), caller)).json).toMatchObject({ totalItems: 0, items: [] });
      expect((await call('GET', url, caller)).status).toBe(404);
    }
    const before = JSON.stringify(new StoreReader().find(audit, {}));
    for (const caller of [as(admin), adminToken(), as(person)]) {
      expect((await call('POST', recordsOf('audit'), { ...caller, body: { action: 'x' } })).status).toBe(403);
      expect((await call('PATCH', url, { ...caller, body: { action: 'x' } })).status).toBe(403);
      expect((await call('DELETE', url, caller)).status).toBe(403);
    }
    expect(JSON.stringify(new StoreReader().find(audit, {}))).toBe(before);
  });

  test('keeps how people and things were called', async () => {
    await call('PATCH', recordsOf('users', person.id), { body: { name: 'Then' }, as: person });
    await call('DELETE', recordsOf('users', person.id), as(admin));
    const rows = new StoreReader().find(audit, { user: person.id });
    expect(rows.map(({ userName, recordName }) => [userName, recordName])).toEqual([['Then', 'Then']]);
  });

  test('holds no act that it has no name for, and says nothing of refusals to change', async () => {
    const before = everything();
    await call('PATCH', recordsOf('users', admin.id), { body: { name: 'X' }, as: person });
    expect([newRows(), everything()]).toEqual([[], before]);
    const known = new Set<string>(AUDIT_ACTIONS);
    expect(new StoreReader().find(audit, {}).filter(({ action }) => !known.has(action))).toEqual([]);
  });

  test('loses its rows after a year', async () => {
    await call('PATCH', recordsOf('users', person.id), { body: { name: 'Old' }, as: person });
    await startSession(person.id, { address: '', userAgent: '', isSecure: false });
    const now = nowMs();
    const reset = setClock(() => now + 364 * 86_400_000);
    await sweepAudit();
    expect(new StoreReader().find(audit, { user: person.id })).toHaveLength(1);
    setClock(() => now + 366 * 86_400_000);
    await sweepAudit();
    reset();
    expect(new StoreReader().find(audit, {})).toEqual([]);
  });
});
