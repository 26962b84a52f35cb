import fs from 'node:fs';
import path from 'node:path';
import PocketBase, { type RecordModel } from 'pocketbase';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import yazl from 'yazl';
import { stagingFolder } from '@/db/pending-restore';
import { bundleApiServer, startApi, type ApiProcess } from '../setup/api-process';
import { eventually } from '../setup/console-process';
import { admin as first, PASSWORD, setUp } from '../setup/journey';

/** Backups against a process of their own: a restore changes what the process stands on. */
let api: ApiProcess;
let people: PocketBase;
let admin: PocketBase;

beforeAll(async () => {
  await bundleApiServer();
  api = await startApi();
  people = await setUp(api.url);
  admin = await signInAsAdmin();
});

afterAll(async () => {
  await api.kill('SIGKILL');
  fs.rmSync(api.dataDir, { recursive: true, force: true });
});

async function signInAsAdmin(): Promise<PocketBase> {
  const pb = new PocketBase(api.url);
  pb.autoCancellation(false);
  await pb.admins.authWithPassword(first.email, PASSWORD);
  return pb;
}

const status = (code: number) => expect.objectContaining({ status: code });
const keys = async () => (await admin.backups.getFullList()).map(({ key }) => key);
const folder = (name: string) => path.join(api.dataDir, name);

function zipOf(entries: Record<string, string | Buffer>): Promise<Blob> {
  const zip = new yazl.ZipFile();
  for (const [name, content] of Object.entries(entries)) zip.addBuffer(Buffer.from(content), name);
  zip.end();
  return new Response(zip.outputStream as unknown as ReadableStream).blob();
}

describe('backups', () => {
  test('open to admins alone', async () => {
    for (const pb of [people, new PocketBase(api.url)]) {
      await expect(pb.backups.getFullList()).rejects.toEqual(status(401));
      await expect(pb.backups.create('x.zip')).rejects.toEqual(status(401));
      await expect(pb.backups.restore('x.zip')).rejects.toEqual(status(401));
      await expect(pb.backups.delete('x.zip')).rejects.toEqual(status(401));
      await expect(pb.backups.upload({ file: await zipOf({}) })).rejects.toEqual(status(401));
    }
    expect(await keys()).toEqual([]);
  });

  test.each(['../x.zip', 'X.zip', 'x', 'a b.zip', '.zip'])('are not named %j', async (name) => {
    await expect(admin.backups.create(name)).rejects.toMatchObject({
      status: 400,
      response: { data: { name: { code: 'validation_match_invalid' } } },
    });
  });

  test('are made one at a time, listed, downloaded with a token, deleted', async () => {
    const both = await Promise.allSettled([admin.backups.create('one.zip'), admin.backups.create('two.zip')]);
    expect(both.map((each) => each.status).sort()).toEqual(['fulfilled', 'rejected']);
    const [key] = await keys();
    await expect(admin.backups.create(key!)).rejects.toMatchObject({
      response: { data: { name: { code: 'validation_backup_name_exists' } } },
    });
    expect(await admin.backups.getFullList()).toEqual([
      { key, size: expect.any(Number), modified: expect.stringMatching(/^\d{4}-.*Z$/) },
    ]);
    const url = (token: string) => admin.backups.getDownloadUrl(token, key!);
    const opened = await fetch(url(await admin.files.getToken()));
    expect([opened.status, opened.headers.get('content-disposition')]).toEqual([200, `attachment; filename=${key}`]);
    expect(
      Buffer.from(await opened.arrayBuffer())
        .subarray(0, 2)
        .toString(),
    ).toBe('PK');
    for (const token of ['', await people.files.getToken(), admin.authStore.token]) {
      expect((await fetch(url(token))).status).toBe(403);
    }
    await expect(admin.backups.delete('none.zip')).rejects.toEqual(status(404));
    await admin.backups.delete(key!);
    expect(await keys()).toEqual([]);
  });

  test('are uploaded when they are zips with a fit name', async () => {
    const form = (content: Blob, name: string) => {
      const data = new FormData();
      data.append('file', content, name);
      return admin.backups.upload(data);
    };
    await expect(form(new Blob(['no zip']), 'x.zip')).rejects.toMatchObject({
      response: { data: { file: { code: 'validation_invalid_mime_type' } } },
    });
    await expect(form(await zipOf({ a: 'b' }), 'x.tar')).rejects.toEqual(status(400));
    await expect(admin.backups.upload({})).rejects.toEqual(status(400));
    await form(await zipOf({ a: 'b' }), '../../x.zip');
    expect(await keys()).toEqual(['x.zip']);
    expect(fs.readdirSync(folder('backups'))).toEqual(['x.zip']);
    await admin.backups.delete('x.zip');
  });
});

describe('a restore', () => {
  test.each<[string, Record<string, string>]>([
    ['nothing in it', { 'readme.txt': 'hello' }],
    ['a file outside', { 'storage/a/../../../evil': 'x' }],
    ['no database in it', { 'secret.key': 'x' }],
    ['nonsense as database', { 'berth.db': 'x'.repeat(5000) }],
  ])('refuses a zip with %s and leaves everything as it is', async (_, entries) => {
    // yazl refuses bad names, so they are written into the finished bytes.
    const isEvil = 'storage/a/../../../evil' in entries;
    const blob = await zipOf(isEvil ? { 'storage/a/bb/cc/ddd/evil': 'x' } : entries);
    const bytes = Buffer.from(await blob.arrayBuffer());
    const text = bytes.toString('latin1').replaceAll('storage/a/bb/cc/ddd/evil', 'storage/a/../../../evil1');
    const data = new FormData();
    data.append('file', new Blob([Buffer.from(text, 'latin1')]), 'bad.zip');
    await admin.backups.upload(data);
    await expect(admin.backups.restore('bad.zip')).rejects.toEqual(status(400));
    expect((await people.collection('users').getFullList()).length).toBe(1);
    expect(fs.existsSync(stagingFolder(api.dataDir))).toBe(false);
    await admin.backups.delete('bad.zip');
  });

  test('brings back records, files and secrets as they were at one moment, in the same process', async () => {
    const png = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    const me = String(people.authStore.model!.id);
    const withAvatar = await people.collection('users').update(me, { avatar: new File([png], 'me.png') });
    await admin.settings.update({ sso: { enabled: false, clientSecret: 'hush' } });
    const writes: number[] = [];
    let isWriting = true;
    const writing = (async () => {
      for (let index = 0; isWriting; index += 1) {
        await people.collection('recommendations').create({ kind: 'image', name: `n${index}` });
        writes.push(index);
      }
    })();
    await eventually('something was written', () => writes.length > 5);
    await admin.backups.create('full.zip');
    const atEnd = writes.length;
    isWriting = false;
    await writing;

    await people.collection('users').update(me, { name: 'Someone else', avatar: null });
    await admin.settings.update({ sso: { clientId: 'changed', clientSecret: '' } });
    const stream = await fetch(`${api.url}/api/realtime`);
    await admin.backups.restore('full.zip');
    expect((await admin.health.check()).data.canBackup).toBe(false);
    const user = await eventually('the name is back', async () => {
      const record: RecordModel = await people.collection('users').getOne(me);
      return record.name === first.name ? record : undefined;
    });
    await stream.text();
    process.kill(api.pid, 0);
    const restored = await people.collection('recommendations').getFullList({ sort: 'created' });
    expect(restored.length).toBeGreaterThan(0);
    expect(restored.length).toBeLessThanOrEqual(atEnd + 1);
    expect(restored.map(({ name }) => name)).toEqual(restored.map((_, index) => `n${index}`));
    expect(user.avatar).toBe(withAvatar.avatar);
    expect((await fetch(people.files.getUrl(user, String(user.avatar)))).status).toBe(200);
    const { sso } = await admin.settings.getAll();
    expect(sso).toMatchObject({ enabled: false, clientSecret: '******' });
    expect(sso).not.toMatchObject({ clientId: 'changed' });
    await eventually('writes go on', () =>
      people.collection('recommendations').create({ kind: 'image', name: 'after' }),
    );
    await eventually('the restore is over', async () => (await admin.health.check()).data.canBackup === true);
    const told = await people.collection('audit').getFullList({ filter: "action = 'backup.restore'" });
    expect(told).toMatchObject([
      { outcome: 'success', recordName: 'full.zip', via: 'admin', userName: 'Someone else' },
    ]);
    expect(fs.readdirSync(folder('before-restore')).sort()).toContain('berth.db');
    expect(fs.existsSync(stagingFolder(api.dataDir))).toBe(false);
  });

  test('is finished by the next start when the process is killed before the swap', async () => {
    await people.collection('users').update(String(people.authStore.model!.id), { name: 'Changed' });
    await admin.backups.restore('full.zip');
    expect(fs.existsSync(path.join(stagingFolder(api.dataDir), 'READY'))).toBe(true);
    await api.kill('SIGKILL');
    api = await startApi({ dataDir: api.dataDir });
    admin = await signInAsAdmin();
    expect(fs.existsSync(stagingFolder(api.dataDir))).toBe(false);
    const { items } = await admin.collection('users').getList(1, 1);
    expect(items).toMatchObject([{ name: first.name }]);
  });
});
