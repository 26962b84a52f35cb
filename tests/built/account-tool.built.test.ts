import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { TOTP } from 'otpauth';
import PocketBase from 'pocketbase';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startConsole, type ConsoleProcess } from '../setup/console-process';
import { PASSWORD, setUp } from '../setup/journey';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../..');

let berth: ConsoleProcess;
let pb: PocketBase;

beforeAll(async () => {
  berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'off', LOG_LEVEL: 'error' } });
  pb = await setUp(berth.url);
});
afterAll(() => berth.dispose());

/** The account tool on the running console's data, as an admin of the machine calls it. */
function tool(...args: string[]): Promise<{ stdout: string; stderr: string }> {
  const env = { ...process.env, NODE_ENV: 'production' as const, BERTH_DATA_DIR: berth.dataDir, LOG_LEVEL: 'error' };
  return run(process.execPath, ['dist/account.mjs', ...args], { cwd: root, env });
}

function logIn(password: string): Promise<unknown> {
  return new PocketBase(berth.url).collection('users').authWithPassword('mara', password);
}

const isSignedIn = () =>
  pb
    .collection('users')
    .authRefresh()
    .then(
      () => true,
      () => false,
    );

test('sets a password beside the running console, and ends what the old one opened', async () => {
  expect(await isSignedIn()).toBe(true);
  const { stdout } = await tool('reset-password', 'mara');
  const password = /: (\S+)\n/.exec(stdout)![1]!;
  expect(await isSignedIn()).toBe(false);
  await expect(logIn(PASSWORD)).rejects.toMatchObject({ status: 400 });
  await pb.collection('users').authWithPassword('mara@example.org', password);
  await pb.collection('users').update(String(pb.authStore.model?.id), {
    password: PASSWORD,
    passwordConfirm: PASSWORD,
    oldPassword: password,
  });
  await pb.collection('users').authWithPassword('mara', PASSWORD);
});

test('takes a lost second factor away, and tells the audit log', async () => {
  const post = <T>(address: string, body: object) => pb.send<T>(address, { method: 'POST', body });
  const { secret } = await post<{ secret: string }>('/api/second-factor/totp', { password: PASSWORD });
  await post('/api/second-factor/totp/confirm', { code: new TOTP({ secret }).generate() });
  await expect(logIn(PASSWORD)).rejects.toMatchObject({ response: { data: { code: expect.anything() as unknown } } });
  expect((await tool('list')).stdout).toBe('mara  mara@example.org  admin  second factor\n');
  await tool('reset-second-factor', 'mara');
  await logIn(PASSWORD);
  await pb.collection('users').authWithPassword('mara', PASSWORD);
  const row = await pb.collection('audit').getFirstListItem('action = "secondFactor.disable"');
  expect(row).toMatchObject({ via: 'console', recordName: 'mara' });
});

test('makes an admin of someone', async () => {
  const { id } = await pb
    .collection('users')
    .create({ username: 'nora', password: PASSWORD, passwordConfirm: PASSWORD, enabled: false });
  await tool('make-admin', 'nora');
  expect(await pb.collection('users').getOne(id)).toMatchObject({ isAdmin: true, enabled: true });
});

test.each([
  ['nobody', ['reset-password', 'nobody'], 'Nobody has the username or e-mail address "nobody".'],
  ['nothing to do', [], 'reset-second-factor <name>'],
  ['something it does not know', ['constructor', 'mara'], 'reset-second-factor <name>'],
])('says what is wrong when asked for %s', async (_, args, words) => {
  await expect(tool(...args)).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining(words) as string });
});
