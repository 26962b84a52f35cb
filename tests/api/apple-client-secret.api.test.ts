import { generateKeyPairSync } from 'node:crypto';
import { decodeProtectedHeader, exportSPKI, importSPKI, jwtVerify } from 'jose';
import { beforeAll, expect, test } from 'vitest';
import { issueToken } from '@/lib/auth/tokens';
import { users } from '@/lib/accounts/collection';
import { call } from '../setup/call';
import { openPrivateDatabase } from '../setup/database';
import { createUser } from '../setup/world';

openPrivateDatabase();

const PATH = '/api/settings/apple/generate-client-secret';
const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pemOf = (key: typeof pair.privateKey) => String(key.export({ type: 'pkcs8', format: 'pem' }));
const form = {
  clientId: 'org.example.berth',
  teamId: 'TEAM567890',
  keyId: 'KEY4567890',
  privateKey: pemOf(pair.privateKey),
  duration: 3600,
};
let token: string;

beforeAll(async () => {
  const admin = await createUser({ isAdmin: true });
  token = issueToken({ id: admin.id, tokenKey: String(admin.tokenKey) }, 'adminAuth', users.id);
});

const ask = (changes: Record<string, unknown>) => call('POST', PATH, { token, body: { ...form, ...changes } });

test('is a JWT that Apple could check', async () => {
  const { status, json } = await ask({});
  expect(status).toBe(200);
  const secret = String(json.secret);
  const key = await importSPKI(await exportSPKI(pair.publicKey), 'ES256');
  const { payload } = await jwtVerify(secret, key, { audience: 'https://appleid.apple.com', issuer: form.teamId });
  expect([payload.sub, payload.exp! - payload.iat!]).toEqual([form.clientId, 3600]);
  expect(decodeProtectedHeader(secret)).toMatchObject({ alg: 'ES256', kid: form.keyId });
});

test('needs the administration token', async () => {
  expect((await call('POST', PATH, { body: form })).status).toBe(401);
});

test.each([
  [{ clientId: '' }, 'clientId', 'validation_required'],
  [{ teamId: 'SHORT' }, 'teamId', 'validation_length_invalid'],
  [{ keyId: '' }, 'keyId', 'validation_required'],
  [{ privateKey: 'abc' }, 'privateKey', 'validation_match_invalid'],
  [{ duration: 0 }, 'duration', 'validation_required'],
  [{ duration: -1 }, 'duration', 'validation_min_greater_equal_than_required'],
  [{ duration: 15_777_001 }, 'duration', 'validation_max_less_equal_than_required'],
])('refuses %j by field', async (changes, field, code) => {
  const { status, json } = await ask(changes);
  expect([status, json.message]).toEqual([400, 'Invalid client secret data.']);
  expect(json.data).toEqual({ [field]: expect.objectContaining({ code }) });
});

test('refuses a key that can not sign, without quoting it', async () => {
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  for (const privateKey of [
    pemOf(rsa.privateKey),
    '-----BEGIN PRIVATE KEY-----\nTOPSECRET\n-----END PRIVATE KEY-----',
  ]) {
    const { status, text } = await ask({ privateKey });
    expect([status, text.includes('TOPSECRET')]).toEqual([400, false]);
    expect(text).toContain('The private key is no P-256 key');
  }
});
