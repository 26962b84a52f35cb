import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import Database from 'better-sqlite3';
import type PocketBase from 'pocketbase';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Export } from '@/lib/carry/format';
import { openSecrets } from '@/lib/carry/passphrase';
import { bundleApiServer, startApi, type ApiProcess } from '../setup/api-process';
import { bundleTool, runTool, startTool } from '../setup/berth-tool';
import { setUp } from '../setup/journey';

vi.setConfig({ testTimeout: 180_000 });

/** Records of one console in another, and what stands in the way of an upgrade. */
const root = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-carry-'));
const at = (name: string) => path.join(root, name);
const SECRET = 'hush-hush-0123';
let here: ApiProcess;
let there: ApiProcess;
let mine: PocketBase;
let theirs: PocketBase;

function addHost(api: ApiProcess, id: string, name: string): void {
  const db = new Database(path.join(api.dataDir, 'berth.db'));
  const proxy = {
    isAdded: true,
    type: 'traefikDockerProvider',
    containerName: 'traefik',
    entryPoint: 'web',
    certResolver: 'le',
  };
  const insert = "INSERT INTO hosts (id, name, enabled, status, reverse_proxy) VALUES (?, ?, 1, 'online', ?)";
  db.prepare(insert).run(id, name, JSON.stringify({ ...proxy, configFileLocation: '' }));
  db.close();
}

beforeAll(async () => {
  await Promise.all([bundleApiServer(), bundleTool()]);
  [here, there] = await Promise.all([startApi(), startApi()]);
  [mine, theirs] = await Promise.all([setUp(here.url), setUp(there.url)]);
  addHost(here, 'hosthere0000001', 'gpu-1');
  addHost(there, 'hostthere000001', 'other');
  const host = 'hosthere0000001';
  const domain = await mine.collection('domains').create({ url: 'apps.example.org' });
  await mine.collection('files').create({ name: 'data set', type: 'external', url: 'https://example.org/data.csv' });
  const network = await mine.collection('networks').create({ name: 'lab', host });
  const volume = await mine.collection('volumes').create({ name: 'models', host });
  const image = await mine.collection('images').create({
    name: 'python',
    build_on: host,
    creationType: 'writeDockerfile',
    dockerfile: 'FROM scratch\n',
  });
  await mine.collection('workspaces').create({
    name: 'notebook',
    host,
    image: image.id,
    networks: [network.id],
    volumes: [volume.id],
    volumePaths: { [volume.id]: { path: '/models', readOnly: true } },
    environmentVariables: [
      { name: 'MODE', value: 'fast', secret: false },
      { name: 'TOKEN', value: SECRET, secret: true },
    ],
    externalUrls: [
      { scheme: 'https', subdomain: 'lab', domain: domain.id, port: 8888, authentication: 'none', users: [] },
    ],
  });
  await mine.collection('workspaces').create({ name: 'template', host, image: image.id, template: true });
});
afterAll(async () => {
  for (const api of [here, there]) {
    await api.kill('SIGKILL');
    fs.rmSync(api.dataDir, { recursive: true, force: true });
  }
  fs.rmSync(root, { recursive: true, force: true });
});

const namesThere = async (kind: string) =>
  (await theirs.collection(kind).getFullList()).map((row) => String(row.name ?? row.url));

describe('an export', () => {
  test('names what it holds, and no secret without a passphrase', async () => {
    const to = at('plain.json');
    const end = await runTool(here.dataDir, ['export', '--to', to]);
    expect(end).toMatchObject({ code: 0, stdout: expect.stringContaining('workspaces 2') as string });
    expect(end.stderr).toContain('workspaces notebook: secret values, which need a passphrase');
    const text = fs.readFileSync(to, 'utf8');
    for (const id of ['hosthere0000001', SECRET, 'sealed:']) expect(text).not.toContain(id);
    expect(fs.statSync(to).mode & 0o777).toBe(0o600);
    const again = await runTool(here.dataDir, ['export', '--to', to]);
    expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining('already') as string });
    const odd = await runTool(here.dataDir, ['export', '--to', at('x.json'), '--only', 'users']);
    expect(odd).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no kind "users"') as string });
  });

  test('holds secrets only sealed, and not by a short passphrase', async () => {
    fs.writeFileSync(at('short'), 'short\n');
    const args = (name: string) => ['export', '--to', at('sealed.json'), '--passphrase-file', at(name)];
    expect(await runTool(here.dataDir, args('short'))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('12') as string,
    });
    fs.writeFileSync(at('long'), 'correct horse battery\n');
    expect(await runTool(here.dataDir, args('long'))).toMatchObject({ code: 0, stderr: '' });
    expect(fs.readFileSync(at('sealed.json'), 'utf8')).not.toContain(SECRET);
  });
});

describe('an import', () => {
  test('says first what it would do, and does nothing', async () => {
    // As a kill leaves it.
    fs.mkdirSync(path.join(there.dataDir, 'import-try-000000'));
    const end = await runTool(there.dataDir, ['import', at('plain.json')]);
    expect(end).toMatchObject({ code: 1, stdout: expect.stringContaining('Nothing was done') as string });
    expect(end.stdout).toContain('LEFT    workspaces notebook on gpu-1: There is no host gpu-1 here');
    expect(end.stdout).toContain('made    domains apps.example.org');
    expect(await namesThere('domains')).toEqual([]);
    expect(fs.readdirSync(there.dataDir).filter((name) => name.startsWith('import-try'))).toEqual([]);
  });

  test('that a signal ends leaves no copy of the data', async () => {
    const copies = () => fs.readdirSync(there.dataDir).filter((name) => name.startsWith('import-try'));
    const { child, end } = startTool(there.dataDir, ['import', at('plain.json')]);
    const deadline = Date.now() + 20_000;
    while (copies().length === 0 && Date.now() < deadline);
    child.kill('SIGTERM');
    expect(await end).toMatchObject({ code: 143 });
    expect(copies()).toEqual([]);
  });

  test('waits for no backup or restore', async () => {
    const lock = new Database(path.join(there.dataDir, 'backup.lock'));
    lock.exec('BEGIN EXCLUSIVE');
    const end = await runTool(there.dataDir, ['import', at('plain.json'), '--yes']);
    lock.close();
    expect(end).toMatchObject({ code: 1, stderr: expect.stringContaining('another backup/restore') as string });
    expect(await namesThere('domains')).toEqual([]);
  });

  test('with the wrong passphrase is refused as a whole', async () => {
    fs.writeFileSync(at('wrong'), 'another passphrase\n');
    const args = ['import', at('sealed.json'), '--yes', '--host', 'gpu-1=other', '--passphrase-file', at('wrong')];
    expect(await runTool(there.dataDir, args)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/can not be read/) as string,
    });
    expect(await namesThere('domains')).toEqual([]);
  });

  test('makes what is not there, beside the running console, and a second time nothing', async () => {
    const args = ['import', at('sealed.json'), '--yes', '--host', 'gpu-1=other', '--passphrase-file', at('long')];
    const end = await runTool(there.dataDir, args);
    expect(end).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('7 made, 0 there already, 0 left out') as string,
    });
    const all = await theirs.collection('workspaces').getFullList({ expand: 'image,host,volumes,networks' });
    const notebook = all.find(({ name }) => name === 'notebook')!;
    const volume = (notebook.expand!.volumes as { id: string; name: string }[])[0]!;
    const [domain] = await theirs.collection('domains').getFullList();
    expect(notebook).toMatchObject({
      status: 'stopped',
      expand: { host: { name: 'other' }, image: { name: 'python' }, networks: [{ name: 'lab' }] },
      volumePaths: { [volume.id]: { path: '/models', readOnly: true } },
      externalUrls: [{ domain: domain!.id, subdomain: 'lab', port: 8888 }],
    });
    expect(notebook.environmentVariables).toEqual([
      { name: 'MODE', value: 'fast', secret: false },
      { name: 'TOKEN', value: '', secret: true },
    ]);
    const round = await runTool(there.dataDir, ['export', '--to', at('back.json'), '--passphrase-file', at('long')]);
    expect(round.stderr).toBe('');
    const again = await runTool(there.dataDir, args);
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('0 made, 7 there already') as string });
    expect((await theirs.collection('workspaces').getFullList()).length).toBe(2);
  });

  test.each([
    ['no JSON', 'PK\u0003\u0004', /is no JSON/],
    ['other JSON', '{"format": "x"}', /is no export/],
    [
      'records of no shape',
      '{"format":"berth-export","formatVersion":1,"berth":"","made":"","records":{"workspaces":[{"name":5}]}}',
      /is no export/,
    ],
    [
      'another version',
      '{"format":"berth-export","formatVersion":2,"berth":"","made":"","records":{}}',
      /is no export/,
    ],
    [
      'another kind',
      '{"format":"berth-export","formatVersion":1,"berth":"","made":"","records":{"users":[]}}',
      /is no export/,
    ],
  ])('refuses %s', async (_, text, words) => {
    fs.writeFileSync(at('bad.json'), text);
    const end = await runTool(there.dataDir, ['import', at('bad.json'), '--yes']);
    expect(end).toMatchObject({ code: 1, stderr: expect.stringMatching(words) as string });
    expect(end.stderr).not.toMatch(/\n\s+at /);
  });

  test('does not read a bomb, and leaves out what no person could write', async () => {
    fs.writeFileSync(at('bomb.json'), '');
    fs.truncateSync(at('bomb.json'), 2 * 1024 ** 3);
    const end = await runTool(there.dataDir, ['import', at('bomb.json'), '--yes']);
    expect(end).toMatchObject({ code: 1, stderr: expect.stringContaining('larger than') as string });
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    const record = (fields: string, name: string) =>
      `{"name":"${name}","host":"other","owner":"nobody","fields":${fields}}`;
    const image = '"image":{"name":"python","host":"other"}';
    const evil = [
      record(`{${image},"arguments":${deep}}`, 'deep'),
      record(`{${image},"status":"running","containerId":"x","desired":"running"}`, 'running'),
      record(`{${image},"volumePaths":"x"}`, 'odd'),
      record(`{"image":{"name":"../../etc","host":"other"}}`, 'none'),
    ];
    const file = `{"format":"berth-export","formatVersion":1,"berth":"","made":"","records":{"workspaces":[${evil.join(',')}]}}`;
    fs.writeFileSync(at('evil.json'), file);
    const tried = await runTool(there.dataDir, ['import', at('evil.json'), '--yes']);
    expect(tried.code).toBe(1);
    expect(tried.stdout).toMatch(
      /LEFT {4}workspaces deep[^]*made {4}workspaces running on other: There is no nobody here[^]*LEFT {4}workspaces odd[^]*LEFT {4}workspaces none/,
    );
    const running = await theirs.collection('workspaces').getFirstListItem("name = 'running'");
    expect(running).toMatchObject({ status: 'stopped', desired: 'stopped', containerId: '' });
  });
});

describe('what stands in the way elsewhere', () => {
  test('images of one name stay two, each with its own secrets and workspaces', async () => {
    const host = 'hosthere0000001';
    for (const repository of ['lab/one', 'lab/two']) {
      const image = await mine.collection('images').create({
        name: 'jupyter',
        repository,
        build_on: host,
        creationType: 'writeDockerfile',
        dockerfile: 'FROM scratch\nRUN --mount=type=secret,id=token true\n',
        buildSecrets: [{ name: 'token', value: `of ${repository}` }],
      });
      await mine.collection('workspaces').create({ name: repository.replace('/', '-'), host, image: image.id });
    }
    const pass = ['--passphrase-file', at('long')];
    await runTool(here.dataDir, ['export', '--to', at('two.json'), '--only', 'images,workspaces', ...pass]);
    const end = await runTool(there.dataDir, ['import', at('two.json'), '--yes', '--host', 'gpu-1=other', ...pass]);
    expect(end).toMatchObject({ code: 0, stdout: expect.stringContaining('4 made, 3 there already') as string });
    const all = await theirs.collection('workspaces').getFullList({ filter: "name ~ 'lab-'", expand: 'image' });
    const images = all.map(({ name, expand }) => [name, (expand!.image as { repository: string }).repository]);
    expect(Object.fromEntries(images)).toEqual({ 'lab-one': 'lab/one', 'lab-two': 'lab/two' });
    await runTool(there.dataDir, ['export', '--to', at('two-back.json'), '--only', 'images', ...pass]);
    const { secrets } = JSON.parse(fs.readFileSync(at('two-back.json'), 'utf8')) as Export;
    const opened = Object.entries(await openSecrets(secrets!, 'correct horse battery'));
    expect(opened.length).toBe(2);
    for (const [key, value] of opened) expect(key).toContain(value.replace('of ', ''));
  });

  test('is left out or told, and keeps no record from being made', async () => {
    const host = 'hosthere0000001';
    const [domain] = await mine.collection('domains').getFullList();
    const image = await mine.collection('images').create({
      name: 'sealed',
      build_on: host,
      creationType: 'writeDockerfile',
      dockerfile: 'FROM scratch\nRUN --mount=type=secret,id=token true\n',
      buildSecrets: [{ name: 'token', value: SECRET }],
    });
    const url = { scheme: 'https', domain: domain!.id, port: 8888 };
    const workspace = await mine.collection('workspaces').create({
      name: 'guarded',
      host,
      image: image.id,
      externalUrls: [
        { ...url, subdomain: 'shut', authentication: 'basic', users: [{ username: 'ann', password: 'pass-word-1' }] },
        { ...url, subdomain: 'open', authentication: 'none', users: [] },
      ],
      portShares: [{ port: 8080, level: 'public', until: new Date(Date.now() + 3_600_000).toISOString() }],
    });
    const db = new Database(path.join(here.dataDir, 'berth.db'));
    const passed = JSON.stringify([
      { port: 8080, level: 'public', until: '2020-01-01T00:00:00.000Z' },
      { port: 8081, level: 'owner', until: '' },
    ]);
    db.prepare('UPDATE workspaces SET port_shares = ? WHERE id = ?').run(passed, workspace.id);
    db.close();
    const told = await runTool(here.dataDir, ['export', '--to', at('odd.json'), '--only', 'images,workspaces']);
    expect(told.stderr).toContain('workspaces guarded: addresses with passwords');
    expect(told.stderr).toContain('workspaces guarded: public ports whose date has passed');
    const end = await runTool(there.dataDir, ['import', at('odd.json'), '--yes', '--host', 'gpu-1=other']);
    expect(end.stdout).toMatch(/made {4}images sealed on other: Build secrets without a value were left out: token\./);
    expect(end.stdout).toMatch(/made {4}workspaces guarded on other/);
    const made = await theirs.collection('workspaces').getFirstListItem("name = 'guarded'");
    expect(made).toMatchObject({
      externalUrls: [{ subdomain: 'open', authentication: 'none' }],
      portShares: [{ port: 8081, level: 'owner' }],
    });
    const sealed = await theirs.collection('images').getFirstListItem("name = 'sealed'");
    expect(sealed.buildSecrets).toEqual([]);
  });
});

describe('a look before an upgrade', () => {
  const look = async (dataDir: string, ...args: string[]) => {
    const end = await runTool(dataDir, ['upgrade-check', '--json', ...args]);
    const { checks } = JSON.parse(end.stdout) as { checks: { code: string; state: string; cure: string }[] };
    return { code: end.code, states: Object.fromEntries(checks.map(({ code, state }) => [code, state])) };
  };

  test('is fine with a console of this version, but for what is a matter of care', async () => {
    expect(await look(here.dataDir)).toMatchObject({
      code: 0,
      states: { version: 'ok', database: 'ok', upgrade: 'ok', secretKey: 'ok', backups: 'warning', settings: 'ok' },
    });
    expect((await look(here.dataDir, '--strict')).code).toBe(1);
    const { stdout } = await runTool(here.dataDir, ['upgrade-check']);
    expect(stdout).toMatch(/ok +database: [^]*warning +backups: [^]*→ /);
  });

  test('finds another secret, a damaged database, a newer version, and settings of before', async () => {
    const db = new Database(path.join(here.dataDir, 'berth.db'));
    const copy = async (name: string) => {
      fs.mkdirSync(at(name));
      await db.backup(at(`${name}/berth.db`));
      fs.copyFileSync(path.join(here.dataDir, 'secret.key'), at(`${name}/secret.key`));
      return at(name);
    };
    const [secret, damaged, newer, settings] = await Promise.all(['secret', 'damaged', 'newer', 'settings'].map(copy));
    db.close();
    const handle = fs.openSync(path.join(damaged!, 'berth.db'), 'r+');
    fs.writeSync(handle, Buffer.alloc(60_000, 7), 0, 60_000, 80_000);
    fs.closeSync(handle);
    expect(await look(damaged!)).toMatchObject({ code: 1, states: { database: 'error' } });
    const change = (folder: string, sql: string) => {
      const each = new Database(path.join(folder, 'berth.db'));
      each.exec(sql);
      each.close();
    };
    change(secret!, "INSERT INTO installation (name, value) VALUES ('secretProof', 'of another secret')");
    expect(await look(secret!)).toMatchObject({ code: 1, states: { secretKey: 'error', database: 'ok' } });
    change(newer!, "INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('of a newer one', 9999999999999)");
    expect(await look(newer!)).toMatchObject({ code: 1, states: { upgrade: 'error' } });
    const refused = await runTool(newer!, ['export', '--to', at('newer.json')]);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('another version') as string });
    change(settings!, `INSERT INTO settings (id, key, value) VALUES ('s00000000000001', 'cache', '{"lifetime":-1}')`);
    expect(await look(settings!)).toMatchObject({ code: 1, states: { settings: 'error' } });
  });
});
