import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import PocketBase from 'pocketbase';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { bundleApiServer, startApi, type ApiProcess } from '../setup/api-process';
import { bundleTool, runTool, startTool } from '../setup/berth-tool';
import { setUp } from '../setup/journey';
import { readZip, zipOf } from '../setup/zips';

vi.setConfig({ testTimeout: 180_000 });

/** The command line on the data folder of a console that runs, that was stopped, and that was killed. */
const root = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-tool-'));
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
let api: ApiProcess;
let people: PocketBase;

beforeAll(async () => {
  await Promise.all([bundleApiServer(), bundleTool()]);
  api = await startApi();
  people = await setUp(api.url);
});
afterAll(async () => {
  await api.kill('SIGKILL');
  for (const folder of [root, api.dataDir]) fs.rmSync(folder, { recursive: true, force: true });
});

const folder = (name: string): string => {
  const made = path.join(root, name);
  fs.mkdirSync(made, { recursive: true });
  return made;
};

/** The names of the suggestions in a database file. */
function namesIn(file: string): string[] {
  const db = new Database(file, { readonly: true });
  try {
    return db.prepare('SELECT name FROM recommendations ORDER BY created, name').pluck().all() as string[];
  } finally {
    db.close();
  }
}

async function stoppedCopy(name: string): Promise<string> {
  const copy = folder(name);
  const backup = path.join(root, `${name}.zip`);
  expect((await runTool(api.dataDir, ['backup', '--to', backup])).code).toBe(0);
  for (const [file, bytes] of Object.entries(await readZip(fs.readFileSync(backup)))) {
    if (file === 'backup.json') continue;
    fs.mkdirSync(path.dirname(path.join(copy, file)), { recursive: true });
    fs.writeFileSync(path.join(copy, file), bytes, { mode: 0o600 });
  }
  return copy;
}

describe('a call', () => {
  test.each([
    ['nothing', [], 2, /backup[^]*restore/],
    ['a command that there is not', ['constructor'], 2, /There is no command "constructor"/],
    ['an option that there is not', ['backup', '--nope'], 2, /Unknown option '--nope'[^]*berth backup/],
    ['a backup that there is not', ['restore', 'none.zip', '--yes'], 1, /^There is no backup none\.zip\.\n$/],
    ['two names', ['restore', 'a.zip', 'b.zip'], 2, /Name one backup/],
    ['a name outside', ['restore', '../../etc/passwd.zip', '--yes'], 1, /There is no backup/],
  ])('with %s says how it is meant, without a trace of the program', async (_, args, code, words) => {
    const end = await runTool(api.dataDir, args);
    expect(end).toMatchObject({ code, stderr: expect.stringMatching(words) as string });
    expect(end.stderr).not.toMatch(/\n\s+at |node:internal/);
  });

  test('for help is answered on stdout', async () => {
    const all = await runTool(api.dataDir, ['--help']);
    expect(all).toMatchObject({ code: 0, stdout: expect.stringContaining('restore') as string });
    const one = await runTool(api.dataDir, ['restore', '--help']);
    expect(one).toMatchObject({ code: 0, stdout: expect.stringContaining('--yes') as string });
  });

  test('on a folder without data makes none', async () => {
    const empty = folder('empty');
    const end = await runTool(empty, ['backup']);
    expect(end).toMatchObject({ code: 1, stderr: expect.stringMatching(/^There is no database in /) as string });
    expect(fs.readdirSync(empty)).toEqual([]);
  });
});

describe('a backup beside the running console', () => {
  test('is one moment of what is written meanwhile, with every file that it names', async () => {
    const me = String(people.authStore.model!.id);
    let isWriting = true;
    const writing = (async () => {
      for (let index = 0; isWriting; index += 1) {
        await people
          .collection('recommendations')
          .create({ kind: 'image', name: `n${String(index).padStart(5, '0')}` });
        await people
          .collection('users')
          .update(me, { avatar: new File([PNG], `a${index}.png`, { type: 'image/png' }) });
      }
      return undefined;
    })();
    const zips: string[] = [];
    for (let round = 0; round < 5; round += 1) {
      const to = path.join(root, `live-${round}.zip`);
      expect(await runTool(api.dataDir, ['backup', '--to', to])).toMatchObject({
        code: 0,
        stdout: `${to}\n`,
        stderr: '',
      });
      zips.push(to);
    }
    isWriting = false;
    await writing;
    for (const zip of zips) {
      const files = await readZip(fs.readFileSync(zip));
      const database = path.join(root, 'look.db');
      fs.writeFileSync(database, files['berth.db']!);
      const names = namesIn(database);
      expect(names.length).toBeGreaterThan(0);
      expect(names).toEqual(names.map((_, index) => `n${String(index).padStart(5, '0')}`));
      const db = new Database(database, { readonly: true });
      const avatar = String(db.prepare('SELECT avatar FROM users WHERE id = ?').pluck().get(me));
      db.close();
      expect(Object.keys(files)).toContain(`storage/${users(files)}/${me}/${avatar}`);
      expect(files['secret.key']).toEqual(fs.readFileSync(path.join(api.dataDir, 'secret.key')));
    }
    expect(fs.readdirSync(path.join(api.dataDir)).includes('backups') ? left('backups') : []).toEqual([]);
  });

  const users = (files: Record<string, Buffer>) => /storage\/(\w+)\//.exec(Object.keys(files).join('\n'))?.[1];
  const left = (name: string) => fs.readdirSync(path.join(api.dataDir, name)).filter((file) => file.startsWith('.'));

  test('lies among its backups, overwrites nothing, and waits for no other', async () => {
    const { stdout } = await runTool(api.dataDir, ['backup']);
    expect(stdout.trim()).toMatch(new RegExp(`^${api.dataDir}/backups/berth_backup_\\d{14}\\.zip$`));
    const again = await runTool(api.dataDir, ['backup', '--to', stdout.trim()]);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('already') as string });
    const lock = new Database(path.join(api.dataDir, 'backup.lock'));
    lock.exec('BEGIN EXCLUSIVE');
    const refused = await runTool(api.dataDir, ['backup', '--to', path.join(root, 'other.zip')]);
    lock.close();
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('another backup/restore') as string });
    expect(fs.existsSync(path.join(root, 'other.zip'))).toBe(false);
  });

  test('that the disk has no room for leaves nothing there', async () => {
    const small = folder('small');
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=128k', 'tmpfs', small]);
    try {
      const end = await runTool(api.dataDir, ['backup', '--to', path.join(small, 'x.zip')]);
      expect(end).toMatchObject({ code: 1, stderr: expect.stringMatching(/disk is full/) as string });
      expect(fs.readdirSync(small)).toEqual([]);
    } finally {
      execFileSync('umount', [small]);
    }
  });
});

test('a backup that a signal ends leaves nothing, and nobody else could read what it was half-way with', async () => {
  const data = await stoppedCopy('signalled');
  const big = path.join(data, 'storage/a/b/big');
  fs.mkdirSync(path.dirname(big), { recursive: true });
  fs.writeFileSync(big, '');
  fs.truncateSync(big, 1024 ** 3);
  const to = folder('signalled-to');
  const { child, end } = startTool(data, ['backup', '--to', path.join(to, 'x.zip')]);
  const deadline = Date.now() + 20_000;
  while (!fs.existsSync(path.join(to, '.x.zip.partial')) && Date.now() < deadline);
  expect(fs.statSync(path.join(to, '.x.zip.db')).mode & 0o777).toBe(0o600);
  child.kill('SIGTERM');
  expect(await end).toMatchObject({ code: 143 });
  expect(fs.readdirSync(to)).toEqual([]);
  expect(fs.readdirSync(path.join(data, 'backups'))).toEqual([]);
});

test('a backup of what a console that was killed left leaves its log beside its mark', async () => {
  const killed = await startApi();
  const mark = new Database(path.join(killed.dataDir, 'berth.db'));
  mark.pragma('user_version = 1');
  mark.close();
  await killed.kill('SIGKILL');
  const log = path.join(killed.dataDir, 'berth.db-wal');
  expect(fs.existsSync(log)).toBe(true);
  for (const args of [['backup'], ['upgrade-check'], ['export', '--to', path.join(root, 'killed.json')]]) {
    expect((await runTool(killed.dataDir, args)).stderr).toBe('');
    expect(fs.existsSync(log)).toBe(true);
  }
  const db = new Database(path.join(killed.dataDir, 'berth.db'), { readonly: true });
  expect(db.pragma('user_version', { simple: true })).toBe(1);
  db.close();
  fs.rmSync(killed.dataDir, { recursive: true, force: true });
});

describe('a restore', () => {
  test('is refused while a console has the folder', async () => {
    const data = await stoppedCopy('claimed');
    const lock = new Database(path.join(data, 'berth.lock'));
    lock.exec('BEGIN EXCLUSIVE');
    const before = fs.readFileSync(path.join(data, 'berth.db'));
    const end = await runTool(data, ['restore', path.join(root, 'claimed.zip'), '--yes']);
    lock.close();
    expect(end).toMatchObject({ code: 3, stderr: expect.stringContaining('Another console') as string });
    expect(fs.readFileSync(path.join(data, 'berth.db')).equals(before)).toBe(true);
  });

  test('asks first', async () => {
    const data = await stoppedCopy('asks');
    const end = await runTool(data, ['restore', path.join(root, 'asks.zip')]);
    expect(end).toMatchObject({ code: 2, stderr: expect.stringContaining('--yes') as string });
    expect(fs.existsSync(path.join(data, 'before-restore'))).toBe(false);
  });

  test.each([
    ['half of a backup', (zip: Buffer) => zip.subarray(0, zip.length / 2)],
    [
      'a damaged one',
      (zip: Buffer) => Buffer.concat([zip.subarray(0, 5000), Buffer.alloc(2000, 7), zip.subarray(7000)]),
    ],
    ['no zip at all', () => Buffer.from('nothing')],
  ])('of %s is refused, and nothing is changed', async (name, spoil) => {
    const data = await stoppedCopy(`bad ${name}`);
    const bad = path.join(root, 'bad.zip');
    fs.writeFileSync(bad, spoil(fs.readFileSync(path.join(root, `bad ${name}.zip`))));
    const before = fs.readFileSync(path.join(data, 'berth.db'));
    const end = await runTool(data, ['restore', bad, '--yes']);
    expect(end).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^The backup can not be restored\./) as string,
    });
    expect(fs.readFileSync(path.join(data, 'berth.db')).equals(before)).toBe(true);
    expect(fs.existsSync(path.join(data, 'restore'))).toBe(false);
  });

  test('of a zip that holds another path is refused', async () => {
    const data = await stoppedCopy('outside');
    const files = { 'berth.db': fs.readFileSync(path.join(data, 'berth.db')), 'storage/a/b/c/d': 'x' };
    const bad = path.join(root, 'outside-bad.zip');
    fs.writeFileSync(bad, await zipOf(files));
    expect(await runTool(data, ['restore', bad, '--yes'])).toMatchObject({ code: 1 });
  });

  test('brings everything into an empty folder, which the console then runs on', async () => {
    const zip = path.join(root, 'whole.zip');
    await runTool(api.dataDir, ['backup', '--to', zip]);
    const fresh = path.join(root, 'fresh');
    expect(await runTool(fresh, ['restore', zip, '--yes'])).toMatchObject({ code: 0, stderr: '' });
    const second = await startApi({ dataDir: fresh });
    try {
      const pb = new PocketBase(second.url);
      pb.authStore.save(people.authStore.token, people.authStore.model);
      const before = await people.collection('recommendations').getFullList({ sort: 'name' });
      expect(await pb.collection('recommendations').getFullList({ sort: 'name' })).toEqual(before);
      const user = await pb.collection('users').getOne(String(people.authStore.model!.id));
      expect((await fetch(pb.files.getUrl(user, String(user.avatar)))).status).toBe(200);
      const [told] = await pb.collection('audit').getFullList({ filter: "action = 'backup.restore'" });
      expect(told).toMatchObject({ outcome: 'success', recordName: 'whole.zip', via: 'console' });
    } finally {
      await second.kill('SIGKILL');
    }
  });

  test('after one that was cut off keeps what was there before both', async () => {
    const data = await stoppedCopy('twice');
    const db = new Database(path.join(data, 'berth.db'));
    db.exec("DELETE FROM recommendations; INSERT INTO recommendations (id, name) VALUES ('old000000000000', 'old')");
    db.close();
    // As a kill leaves it between two of the renames.
    for (const name of ['restore', 'before-restore']) fs.mkdirSync(path.join(data, name));
    for (const mark of ['restore/READY', 'restore/begun', 'before-restore/UNPROVEN'])
      fs.writeFileSync(path.join(data, mark), '');
    const zip = path.join(root, 'twice.zip');
    const files = await readZip(fs.readFileSync(zip));
    fs.writeFileSync(path.join(data, 'restore/berth.db'), files['berth.db']!);
    for (const name of ['berth.db', 'secret.key'])
      fs.renameSync(path.join(data, name), path.join(data, 'before-restore', name));
    fs.writeFileSync(path.join(data, 'secret.key'), files['secret.key']!);
    expect(await runTool(data, ['restore', zip, '--yes'])).toMatchObject({ code: 0, stderr: '' });
    expect(namesIn(path.join(data, 'before-restore/berth.db'))).toEqual(['old']);
    expect(namesIn(path.join(data, 'berth.db'))).not.toContain('old');
  });

  test('that is killed at any moment leaves all of the old data or all of the restored', async () => {
    const zip = path.join(root, 'kill.zip');
    await runTool(api.dataDir, ['backup', '--to', zip]);
    const outcomes: Record<string, string> = {};
    const moments = [
      'restore',
      'restore/berth.db',
      'restore/READY',
      'before-restore/UNPROVEN',
      'before-restore/berth.db',
    ];
    for (const moment of moments) {
      const data = await stoppedCopy(`killed-${moment.replace('/', '-')}`);
      const db = new Database(path.join(data, 'berth.db'));
      db.exec("DELETE FROM recommendations; INSERT INTO recommendations (id, name) VALUES ('old000000000000', 'old')");
      db.close();
      const { child, end } = startTool(data, ['restore', zip, '--yes']);
      // Without a turn of the event loop in between: some of these moments are short.
      const deadline = Date.now() + 20_000;
      while (!fs.existsSync(path.join(data, moment)) && Date.now() < deadline);
      child.kill('SIGKILL');
      await end;
      const next = await startApi({ dataDir: data });
      await next.kill('SIGKILL');
      const names = namesIn(path.join(data, 'berth.db'));
      outcomes[moment] = names.length === 1 && names[0] === 'old' ? 'old' : String(names.length > 5);
      expect(fs.existsSync(path.join(data, 'restore'))).toBe(false);
    }
    expect(outcomes).toMatchObject({ restore: 'old', 'restore/READY': 'true', 'before-restore/berth.db': 'true' });
    expect(Object.values(outcomes).every((outcome) => outcome === 'old' || outcome === 'true')).toBe(true);
  });
});
