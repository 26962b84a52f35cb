import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import PocketBase from 'pocketbase';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stagingFolder } from '@/db/pending-restore';
import { bundleApiServer, bundleProgram, startApi, type ApiProcess } from '../setup/api-process';
import { makePng } from '../setup/bombs';
import { eventually } from '../setup/console-process';
import { admin as first, PASSWORD, setUp, signIn } from '../setup/journey';
import { readZip, zipOf } from '../setup/zips';

/** Restores that can't succeed, and processes that are killed in the middle of one. */
let api: ApiProcess;
let people: PocketBase;
let admin: PocketBase;
let me: string;
/** The files of a backup of the state `saved`. */
let good: Record<string, Buffer>;

beforeAll(async () => {
  await bundleApiServer();
  api = await startApi();
  people = await setUp(api.url);
  admin = new PocketBase(api.url);
  await admin.admins.authWithPassword(first.email, PASSWORD);
  me = String(people.authStore.model!.id);
  await setState('saved');
  await admin.backups.create('good.zip');
  good = await readZip(fs.readFileSync(path.join(api.dataDir, 'backups/good.zip')));
  await setState('present');
});

afterAll(async () => {
  await api.kill('SIGKILL');
  fs.rmSync(api.dataDir, { recursive: true, force: true });
});

/** A name in the database and a file beside it that tell which data this is. */
async function setState(name: string): Promise<void> {
  const avatar = new File([new Uint8Array(makePng(8, 8))], `${name}.png`);
  await people.collection('users').update(me, { name, avatar });
}

/** The state of the data, once all of it agrees. */
async function stateOf(url: string): Promise<string> {
  const pb = await signIn(url, first.username);
  const user = await pb.collection('users').getOne(me);
  const response = await fetch(pb.files.getUrl(user, String(user.avatar)));
  expect([response.status, user.avatar]).toEqual([200, expect.stringContaining(`${String(user.name)}_`)]);
  await response.arrayBuffer();
  return String(user.name);
}

let uploads = 0;

/** Puts the bytes among the backups and answers their name there. */
async function upload(bytes: Buffer): Promise<string> {
  uploads += 1;
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(bytes)]), `bad-${uploads}.zip`);
  await admin.backups.upload(form);
  return `bad-${uploads}.zip`;
}

/** The backup's database after some work on it. */
function changedDatabase(change: (db: Database.Database) => void): Buffer {
  const file = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'berth-changed-')), 'berth.db');
  fs.writeFileSync(file, good['berth.db']!);
  const db = new Database(file);
  db.pragma('journal_mode = DELETE');
  change(db);
  db.close();
  const bytes = fs.readFileSync(file);
  fs.rmSync(path.dirname(file), { recursive: true });
  return bytes;
}

const without = (...names: string[]) =>
  Object.fromEntries(Object.entries(good).filter(([key]) => !names.includes(key)));

function renamed(bytes: Buffer, from: string, to: string): Buffer {
  const name = to.padEnd(from.length, 'x');
  expect(name).toHaveLength(from.length);
  return Buffer.from(bytes.toString('latin1').replaceAll(from, name), 'latin1');
}

const cut = (bytes: Buffer) => bytes.subarray(0, bytes.length * 0.9);

/** A stored file whose checksum, in the directory at the end, is another. */
async function damaged(): Promise<Buffer> {
  const bytes = await zipOf({ ...good, 'storage/a/b/c': 'some' });
  const entry = bytes.lastIndexOf('storage/a/b/c') - 46;
  expect(bytes.readUInt32BE(entry)).toBe(0x504b0102);
  bytes.writeUInt32LE(1, entry + 16);
  return bytes;
}

describe('a backup that can not be restored is refused, and everything stays as it is', () => {
  const slip = 'storage/aaaaaaaaaaaaaaa/bbbbbbbbbbbbbbb/cccccc';
  const withFile = (name: string) => async () => renamed(await zipOf({ ...good, [slip]: 'evil' }), slip, name);

  test.each<[string, () => Promise<Buffer> | Buffer]>([
    [
      'with a damaged database',
      () => zipOf({ ...good, 'berth.db': Buffer.from(good['berth.db']!).fill(9, 20_000, 60_000) }),
    ],
    ['with half a database', () => zipOf({ ...good, 'berth.db': good['berth.db']!.subarray(0, 30_000) })],
    ['with an empty database', () => zipOf({ ...good, 'berth.db': '' })],
    [
      'of a newer version',
      () =>
        zipOf({
          ...good,
          'berth.db': changedDatabase((db) => {
            db.prepare("INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('later', 9999999999999)").run();
          }),
        }),
    ],
    [
      'without an admin',
      () => zipOf({ ...good, 'berth.db': changedDatabase((db) => db.exec('UPDATE users SET is_admin = 0')) }),
    ],
    ['without a database', () => zipOf(without('berth.db'))],
    ['that was cut off', async () => cut(await zipOf(good))],
    ['that lost its middle', async () => (await zipOf(good)).fill(0, 3000, 4000)],
    ['with a damaged file', damaged],
    ['with a file above the folder', withFile('storage/aaaaaaaaaaaaaaa/../../../../../../evil')],
    ['with a file beside the folder', withFile('../aaaaaaaaaaaaaaaaaa/bbbbbbbbbbbbbbb/cccccc1')],
    ['with a file at the root', withFile('/etc/aaaaaaaaaaaaaaaaa/bbbbbbbbbbbbbbb/cccccc1')],
    ['with a file by backslashes', withFile('storage\\aaaaaaaaaaaaaaa\\..\\..\\..\\evil\\cccccc1')],
    ['with a file on a drive', withFile('C:/rage/aaaaaaaaaaaaaaa/bbbbbbbbbbbbbbb/cccccc')],
    ['with a file that is none of ours', () => zipOf({ ...good, 'backups/other.zip': 'x' })],
    ['that is a bomb', () => zipOf({ ...good, [slip]: Buffer.alloc(40_000_000) })],
  ])('%s', async (_, make) => {
    const bytes = await make();
    const key = await upload(bytes);
    const before = process.hrtime.bigint();
    await expect(admin.backups.restore(key)).rejects.toMatchObject({
      status: 400,
      response: { message: expect.stringMatching(/^The backup can not be restored\./) as unknown },
    });
    expect(Number(process.hrtime.bigint() - before) / 1e6).toBeLessThan(3000);
    expect(fs.existsSync(stagingFolder(api.dataDir))).toBe(false);
    expect(fs.readdirSync(path.dirname(api.dataDir)).filter((name) => name.includes('evil'))).toEqual([]);
    expect(await stateOf(api.url)).toBe('present');
    await admin.backups.delete(key);
  });

  test('that says it is larger than the disk', async () => {
    const bytes = await zipOf({ ...without('berth.db'), [slip]: Buffer.from('x'.repeat(5000)) });
    // The size before compression, in the central directory: 4 GiB for every file that it names.
    for (let at = bytes.indexOf('PK\u0001\u0002'); at >= 0; at = bytes.indexOf('PK\u0001\u0002', at + 1)) {
      bytes.writeUInt32LE(0xfffffffe, at + 24);
      bytes.writeUInt32LE(0xffffff, at + 20);
    }
    const key = await upload(bytes);
    await expect(admin.backups.restore(key)).rejects.toMatchObject({ status: 400 });
    expect(await stateOf(api.url)).toBe('present');
    await admin.backups.delete(key);
  });
});

/** The last migration is forgotten: it would run again, and fails over what is there. */
const unopenable = (): Promise<Buffer> =>
  zipOf({
    ...good,
    'berth.db': changedDatabase((db) => {
      db.exec('DELETE FROM __drizzle_migrations WHERE created_at = (SELECT max(created_at) FROM __drizzle_migrations)');
    }),
  });

test('restored data that does not open gives way to what was there, in the same process', async () => {
  await admin.backups.restore(await upload(await unopenable()));
  await eventually('the restore is over', async () => (await admin.health.check()).data.canBackup === true);
  process.kill(api.pid, 0);
  expect(await stateOf(api.url)).toBe('present');
  expect(fs.existsSync(stagingFolder(api.dataDir))).toBe(false);
  const told = await people.collection('audit').getFullList({ filter: "action = 'backup.restore'" });
  expect(told.map(({ outcome }) => String(outcome))).toEqual(['failure']);
  await setState('changed');
  expect(await stateOf(api.url)).toBe('changed');
  await setState('present');
});

/** Kills the process just before the n-th thing that it moves, or drops a mark of. */
function killAt(step: number): Record<string, string> {
  const script = `
    import fs from 'node:fs';
    let left = ${step};
    for (const name of ['renameSync', 'rmSync']) {
      const real = fs[name];
      fs[name] = (target, ...rest) => {
        if ((name === 'renameSync' || /(READY|UNDO|UNPROVEN|restore)$/.test(target)) && fs.existsSync(target) && --left === 0)
          process.kill(process.pid, 'SIGKILL');
        return real(target, ...rest);
      };
    }`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}`, LOG_LEVEL: 'silent' };
}

describe('a process that is killed at any step of a restore', () => {
  /** The data folder at the moment after everything was checked. */
  async function staged(name: string): Promise<string> {
    await admin.backups.restore(name);
    await api.kill('SIGKILL');
    const copy = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-staged-'));
    fs.cpSync(api.dataDir, copy, { recursive: true });
    fs.rmSync(path.join(copy, 'backups'), { recursive: true });
    fs.rmSync(stagingFolder(api.dataDir), { recursive: true });
    api = await startApi({ dataDir: api.dataDir });
    people = await signIn(api.url, first.username);
    admin = new PocketBase(api.url);
    await admin.admins.authWithPassword(first.email, PASSWORD);
    return copy;
  }

  const program = path.resolve('.cache/open-data.mjs');

  /** Opens the data in a process of its own and says what it prints; undefined where it was killed. */
  function openData(dataDir: string, extra: Record<string, string> = {}): Promise<string | undefined> {
    const { BERTH_SECRET: _secret, ...inherited } = process.env;
    const env = { ...inherited, BERTH_DATA_DIR: dataDir, LOG_LEVEL: 'silent', ...extra };
    return new Promise((resolve) =>
      execFile(process.execPath, [program], { env }, (error, stdout) =>
        resolve(error?.signal === 'SIGKILL' ? undefined : stdout.trim()),
      ),
    );
  }

  /** Opens a copy of the data, killed at the step, and again where that happened; says whether it did. */
  async function killAtStep(template: string, { state, step }: { state: string; step: number }): Promise<boolean> {
    const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-killed-'));
    fs.cpSync(template, dataDir, { recursive: true });
    const killed = await openData(dataDir, killAt(step));
    expect([step, killed ?? (await openData(dataDir))]).toEqual([step, state]);
    expect([step, fs.existsSync(stagingFolder(dataDir))]).toEqual([step, false]);
    fs.rmSync(dataDir, { recursive: true });
    return killed === undefined;
  }

  /** One step later each time, some at once, until no step is left to be killed at: that one is answered. */
  async function killAtEveryStep(template: string, { state, from }: { state: string; from: number }): Promise<number> {
    for (let first = from; ; first += 3) {
      const steps = [first, first + 1, first + 2];
      const wereKilled = await Promise.all(steps.map((step) => killAtStep(template, { state, step })));
      const end = wereKilled.indexOf(false);
      if (end >= 0) return first + end;
    }
  }

  let swapSteps = 0;

  beforeAll(() => bundleProgram('open-data.ts', program));

  test('has the restored data at its next start', async () => {
    const template = await staged('good.zip');
    swapSteps = await killAtEveryStep(template, { state: 'saved', from: 1 });
    expect(swapSteps).toBeGreaterThan(8);
    fs.rmSync(template, { recursive: true });
  }, 60_000);

  test('has what was there before where the restored data does not open', async () => {
    const template = await staged(await upload(await unopenable()));
    const steps = await killAtEveryStep(template, { state: 'present', from: swapSteps });
    expect(steps).toBeGreaterThan(swapSteps + 4);
    fs.rmSync(template, { recursive: true });
  }, 60_000);
});

test.each([
  ['that breaks off', '--x\r\nContent-Disposition: form-data; name="file"; filename="a.zip"\r\n\r\nPK'],
  ['without a part', 'nothing'],
  [
    'whose next part is no part',
    '--x\r\nContent-Disposition: form-data; name="file"; filename="a.zip"\r\n\r\nPK\r\n--x\r\nbad header\r\n\r\nzz\r\n--x--\r\n',
  ],
  ['whose part has no headers', '--x\r\n\r\nPK\r\n--x--\r\n'],
  ['whose boundary goes on', '--x\r\nContent-Disposition: form-data; name="file"; filename="a.zip"\r\n\r\nPK\r\n--xyz'],
  ['of nothing', ''],
])('an uploaded body %s is refused, and nothing is left of it', async (_, body) => {
  const response = await fetch(`${api.url}/api/backups/upload`, {
    method: 'POST',
    headers: { authorization: admin.authStore.token, 'content-type': 'multipart/form-data; boundary=x' },
    body,
    signal: AbortSignal.timeout(5000),
  });
  expect(response.status).toBe(400);
  const left = fs.readdirSync(path.join(api.dataDir, 'backups')).filter((name) => name.endsWith('.partial'));
  expect(left).toEqual([]);
});
