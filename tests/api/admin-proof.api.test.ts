import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { anyAccountById } from '@/lib/auth/accounts';
import { hashPassword } from '@/lib/passwords';
import { nowMs, setClock } from '@/lib/clock';
import type { AnyRow } from '@/lib/records/collection';
import { StoreReader } from '@/lib/records/transaction';
import { settings } from '@/lib/settings/collection';
import { api, sendApi } from '../setup/api';
import { openPrivateDatabase } from '../setup/database';
import { createUser } from '../setup/world';

/** What a stolen token of an admin does not open: backups with every secret in them, and a way in that stays. */
openPrivateDatabase();

const PASSWORD = 'Berth!pass1';
let admin: Awaited<ReturnType<typeof createUser>>;
let restore: () => void = () => undefined;

beforeEach(async () => {
  admin = await createUser({ isAdmin: true, verified: true, passwordHash: await hashPassword(PASSWORD) });
});
afterEach(() => restore());

const by = (token: string) => ({ headers: { authorization: token } });
const tokenOf = async (path: string, call: object) => String((await api('POST', path, call)).json.token);
const logIn = () => tokenOf('/api/admins/auth-with-password', { body: { identity: admin.email, password: PASSWORD } });
const minutesLater = (minutes: number) => {
  const at = nowMs() + minutes * 60_000;
  restore = setClock(() => at);
};

describe('the administration token', () => {
  const keyOf = async (token: string) => {
    const { items } = (await api('GET', '/api/backups', by(token))).json as unknown as { items?: AnyRow[] };
    return String((items ?? ((await api('GET', '/api/backups', by(token))).json as unknown as AnyRow[]))[0]?.key);
  };
  const download = async (key: string, token: string) =>
    (await sendApi('GET', `/api/backups/${key}?token=${token}`)).status;

  test('makes and downloads backups soon after its log-in, and with the password later', async () => {
    const token = await logIn();
    expect((await api('POST', '/api/backups', by(token))).status).toBe(204);
    const key = await keyOf(token);
    expect(await download(key, await tokenOf('/api/files/token', by(token)))).toBe(200);
    minutesLater(11);
    const refreshed = await tokenOf('/api/admins/auth-refresh', by(token));
    for (const old of [token, refreshed]) {
      const refused = await api('POST', '/api/backups', by(old));
      expect([refused.status, refused.json.data]).toEqual([
        400,
        { password: expect.objectContaining({ code: 'validation_required' }) as unknown },
      ]);
      expect(await download(key, await tokenOf('/api/files/token', by(old)))).toBe(403);
    }
    const restored = await api('POST', `/api/backups/${key}/restore`, by(refreshed));
    expect([restored.status, Object.keys(restored.json.data as object)]).toEqual([400, ['password']]);
    const wrong = await api('POST', '/api/files/token', { ...by(refreshed), body: { password: 'Wrong!pass1' } });
    expect([wrong.status, wrong.json.token]).toEqual([400, undefined]);
    const body = { password: PASSWORD };
    expect(await download(key, await tokenOf('/api/files/token', { ...by(refreshed), body }))).toBe(200);
    expect((await api('POST', '/api/backups', { ...by(refreshed), body: { ...body, name: 'x.zip' } })).status).toBe(
      204,
    );
  });
});

describe("an admin's API token", () => {
  const USERS = '/api/collections/users/records';
  const make = () => tokenOf('/api/tokens', { as: admin, body: { name: 'deploys', scope: 'full', expiresInDays: 30 } });

  test.each([
    ['isAdmin', { isAdmin: true }],
    ['verified', { verified: true }],
    ['enabled', { enabled: false }],
    ['password', { password: 'Other!pass1', passwordConfirm: 'Other!pass1' }],
    ['email', { email: 'mallory@example.com' }],
  ])('changes nobody’s %s', async (_name, body) => {
    const bob = await createUser();
    const before = anyAccountById(bob.id);
    const token = await make();
    expect((await api('PATCH', `${USERS}/${bob.id}`, { ...by(token), body })).status).toBe(403);
    expect(anyAccountById(bob.id)).toEqual(before);
    expect((await api('PATCH', `${USERS}/${bob.id}`, { ...by(token), body: { name: 'Bob' } })).status).toBe(200);
  });

  test('makes no account, opens no backup and takes away no second factor', async () => {
    const token = await make();
    const person = { username: 'mallory', password: PASSWORD, passwordConfirm: PASSWORD, isAdmin: true };
    expect((await api('POST', USERS, { ...by(token), body: person })).status).toBe(403);
    expect((await api('POST', '/api/admins', { ...by(token), body: person })).status).toBe(401);
    for (const [method, path] of [
      ['GET', '/api/backups'],
      ['POST', '/api/backups'],
      ['POST', '/api/backups/x.zip/restore'],
    ] as const) {
      expect((await api(method, path, by(token))).status).toBe(401);
    }
    const fileToken = await tokenOf('/api/files/token', by(token));
    expect((await sendApi('GET', `/api/backups/x.zip?token=${fileToken}`)).status).toBe(403);
    const bob = await createUser();
    expect((await api('DELETE', `/api/second-factor?user=${bob.id}`, by(token))).status).toBe(403);
  });

  test('sends mails nowhere else and lets no other provider in', async () => {
    const token = await make();
    const SETTINGS = '/api/collections/settings/records';
    const body = { key: 'smtp', value: { host: 'mail.mallory.example' } };
    expect((await api('POST', SETTINGS, { ...by(token), body })).status).toBe(403);
    for (const { id, value } of new StoreReader().find(settings, {})) {
      expect((await api('PATCH', `${SETTINGS}/${id}`, { ...by(token), body: { value } })).status).toBe(403);
      expect((await api('DELETE', `${SETTINGS}/${id}`, by(token))).status).toBe(403);
    }
  });
});
