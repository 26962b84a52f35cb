import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { closeDb } from '@/db/database';
import { env } from '@/lib/env';
import type { HostRow } from '@/lib/hosts/collection';
import { agentRoutes } from '@/lib/hosts/link/agent-routes';
import type { AnyRow } from '@/lib/records/collection';
import { prepare } from '@/lib/records/statements';
import { StoreReader, write } from '@/lib/records/transaction';
import { volumeBackups } from '@/lib/volumes/backups/collection';
import { closeInterrupted } from '@/lib/volumes/backups/create-backup';
import { sweepPartial } from '@/lib/volumes/backups/folder';
import { sweepDueBackups } from '@/lib/volumes/backups/schedule';
import { volumes } from '@/lib/volumes/collection';
import { workspaces } from '@/lib/workspaces/collection';
import { sweepVolumeSizes } from '@/lib/volumes/measure-volumes';
import { api, sendApi } from '../setup/api';
import { createPerson, createVolume, createWorkspace, grantTo } from '../setup/world';
import { createHost } from './factories';
import { createFileHost, type FileHost } from './file-host';
import { createCaller } from './kernel-caller';
import { type AgentLink, connectLink, startLinkServer } from './live-link';

const call = createCaller([...agentRoutes]);
let server: Awaited<ReturnType<typeof startLinkServer>>;
let files: FileHost;
let host: HostRow;
let link: AgentLink;
let owner: { id: string };
let volume: AnyRow;

beforeAll(async () => {
  server = await startLinkServer();
  files = await createFileHost();
  const made = await createHost(call);
  host = made.host;
  link = await connectLink(made.agent, server.port, { answer: files.answer });
  owner = await createPerson();
  volume = await newVolume();
});
afterAll(async () => {
  link.socket.terminate();
  await server.close();
  await files.close();
  closeDb();
});

const newVolume = (overrides: AnyRow = {}) =>
  createVolume({ host: host.id, created_by: owner.id, status: 'created', ...overrides });
const at = (rest: string, of = volume) => `/api/volume/${String(of.id)}${rest}`;
const backupsOf = (of: AnyRow) => new StoreReader().find(volumeBackups, { volume: String(of.id) });
const newest = (of: AnyRow) => backupsOf(of).toSorted((a, b) => (a.created < b.created ? 1 : -1))[0]!;
const fileOf = (id: string) => path.join(env().dataDir, 'volume-backups', `${id}.tar.gz`);
const audited = (action: string) =>
  prepare('SELECT user, record, details FROM audit WHERE action = ? ORDER BY created, id').all(action) as AnyRow[];
const body = 'hello';
const octets = { 'content-length': String(body.length), 'content-type': 'application/octet-stream' };

async function backUp(of: AnyRow = volume) {
  const { status, json } = await api('POST', at('/backups', of), { as: owner });
  expect(status).toBe(202);
  await vi.waitFor(() => expect(new StoreReader().get(volumeBackups, String(json.id))!.status).not.toBe('running'));
  return new StoreReader().get(volumeBackups, String(json.id))!;
}

describe('rights', () => {
  const acts = {
    view: (as?: { id: string }) => api('GET', `/api/collections/volumes/records/${String(volume.id)}`, { as }),
    usage: (as?: { id: string }) => api('GET', at('/usage'), { as }),
    list: (as?: { id: string }) => api('GET', at('/files?path=/'), { as }),
    download: (as?: { id: string }) => sendApi('GET', at('/files/download?path=/readme.txt'), { as }),
    measure: (as?: { id: string }) => api('POST', at('/measure'), { as }),
    backups: async (as?: { id: string }) => {
      const { json } = await api(
        'GET',
        `/api/collections/volume_backups/records?filter=volume='${String(volume.id)}'`,
        { as },
      );
      return { status: Number(json.totalItems) > 0 ? 200 : 404 };
    },
    takeBackup: (as?: { id: string }) => sendApi('GET', `/api/volume-backup/${newest(volume).id}/download`, { as }),
    upload: (as?: { id: string }) => api('POST', at('/files?path=/&name=b&replace=1'), { as, body, headers: octets }),
    change: (as?: { id: string }) =>
      api('POST', at('/files/change'), { as, body: { act: 'makeFolder', path: '/', name: 'made' } }),
    backUp: async (as?: { id: string }) => {
      await vi.waitFor(() => expect(backupsOf(volume).every(({ status }) => status !== 'running')).toBe(true));
      return api('POST', at('/backups'), { as });
    },
    schedule: (as?: { id: string }) =>
      api('PATCH', `/api/collections/volumes/records/${String(volume.id)}`, { as, body: { backupSchedule: null } }),
    restore: async (as?: { id: string }) => {
      await vi.waitFor(() => expect(backupsOf(volume).every(({ status }) => status !== 'running')).toBe(true));
      return api('POST', `/api/volume-backup/${newest(volume).id}/restore`, { as, body: { name: 'another' } });
    },
    deleteBackup: (as?: { id: string }) => api('DELETE', '/api/volume-backup/nosuchbackup123', { as }),
  };
  const good = { restore: 400, backUp: 202, change: 204, deleteBackup: 404 } as Record<string, number>;
  const allowed: [string, string[], Record<string, number>][] = [
    ['nobody', [], { view: 404 }],
    ['stranger', [], { view: 404 }],
    ['delete', ['delete'], { view: 200, usage: 200 }],
    [
      'attach',
      ['attach'],
      { view: 200, usage: 200, list: 200, download: 200, measure: 200, backups: 200, takeBackup: 200 },
    ],
    [
      'modify',
      ['modify'],
      { view: 200, usage: 200, upload: 200, change: 204, backUp: 202, schedule: 200, restore: 400 },
    ],
  ];

  it.each(allowed)('of %s', async (who, flags, may) => {
    await backUp();
    const person = await createPerson();
    if (flags.length > 0) await grantTo(person, 'volume', { on: volume, flags });
    const as = who === 'nobody' ? undefined : person;
    for (const [name, act] of Object.entries(acts)) {
      const { status } = await act(as);
      const isSeen = flags.length > 0;
      const refused =
        {
          backups: 404,
          deleteBackup: as ? 404 : 401,
          schedule: 404,
          view: 404,
        }[name] ?? (as ? (isSeen ? 403 : 404) : 401);
      expect({ name, status }).toEqual({ name, status: may[name] ?? refused });
    }
  });

  it('are all the owner’s', async () => {
    await backUp();
    for (const [name, act] of Object.entries(acts)) {
      expect({ name, status: (await act(owner)).status }).toEqual({ name, status: good[name] ?? 200 });
    }
    await vi.waitFor(() => expect(backupsOf(volume).every(({ status }) => status !== 'running')).toBe(true));
  });
});

describe('files of a volume', () => {
  it('are listed, read, written and changed, with a word in the audit log', async () => {
    const own = await newVolume();
    expect(
      (await api('POST', at('/files?path=/&name=new%0Aline', own), { as: owner, body, headers: octets })).status,
    ).toBe(200);
    const answer = await sendApi('GET', at('/files/download?path=/new%0Aline', own), { as: owner });
    expect(await answer.text()).toBe('hello');
    expect(answer.headers.get('content-disposition')).toContain('attachment');
    expect(
      (await api('POST', at('/files/change', own), { as: owner, body: { act: 'move', path: '/new\nline', to: '/b' } }))
        .status,
    ).toBe(204);
    expect(
      (await api('POST', at('/files/change', own), { as: owner, body: { act: 'remove', path: '/b' } })).status,
    ).toBe(204);
    expect(
      (await api('POST', at('/files/change', own), { as: owner, body: { act: 'remove', path: '/b' } })).status,
    ).toBe(404);
    expect(audited('volume.moveFile').at(-1)).toMatchObject({
      user: owner.id,
      record: own.id,
      details: JSON.stringify({ path: '/new\nline', to: '/b' }),
    });
    for (const wrong of [
      { act: 'makeFolder', path: '/', name: '../x' },
      { act: 'move', path: 'a', to: '/b' },
      { act: 'chmod', path: '/' },
    ]) {
      expect((await api('POST', at('/files/change', own), { as: owner, body: wrong })).status).toBe(400);
    }
  });

  it('are measured on demand and by and by', async () => {
    const own = await newVolume();
    const { json } = await api('POST', at('/measure', own), { as: owner });
    expect(json).toMatchObject({ sizeBytes: 4096, sizeIsLeast: false });
    const other = await newVolume();
    await sweepVolumeSizes();
    expect(new StoreReader().get(volumes, String(other.id))).toMatchObject({
      sizeBytes: 4096,
      sizedAt: expect.stringMatching(/^20/) as string,
    });
  });

  it('tell how many workspaces have the volume that one may not see', async () => {
    const own = await newVolume();
    await createWorkspace({ host: host.id, volumes: [own.id], created_by: owner.id });
    await createWorkspace({ host: host.id, volumes: [own.id] });
    expect((await api('GET', at('/usage', own), { as: owner })).json).toEqual({ hidden: 1 });
  });
});

describe('backups', () => {
  it('bring back what was there', async () => {
    const own = await newVolume();
    const backup = await backUp(own);
    expect(backup).toMatchObject({
      status: 'done',
      entries: 1,
      origin: 'asked',
      created_by: owner.id,
      statusMessage: '',
    });
    expect(fs.statSync(fileOf(backup.id)).size).toBe(backup.sizeBytes);
    files.volumes.of({ id: String(own.id) }).clear();
    const restore = (name: string) =>
      api('POST', `/api/volume-backup/${backup.id}/restore`, { as: owner, body: { name } });
    expect((await restore('another')).json.data).toHaveProperty('name');
    const running = await createWorkspace({ host: host.id, volumes: [own.id], status: 'running' });
    expect((await restore(String(own.name))).status).toBe(409);
    await write((tx) => tx.patch(workspaces, String(running.id), { status: 'stopped' }));
    files.volumes.users = ['foreign'];
    expect((await restore(String(own.name))).status).toBe(202);
    const settled = () => new StoreReader().get(volumeBackups, backup.id)!;
    await vi.waitFor(() =>
      expect(settled()).toMatchObject({
        restoreStatus: 'failed',
        restoreMessage: expect.stringContaining('foreign') as string,
      }),
    );
    files.volumes.users = [];
    expect((await restore(String(own.name))).status).toBe(202);
    await vi.waitFor(() => expect(settled().restoreStatus).toBe('done'));
    expect(
      files.volumes
        .of({ id: String(own.id) })
        .get('/readme.txt')
        ?.toString(),
    ).toBe('hello\n');
    expect((await api('DELETE', `/api/volume-backup/${backup.id}`, { as: owner })).status).toBe(204);
    await vi.waitFor(() => expect(fs.existsSync(fileOf(backup.id))).toBe(false));
    expect(audited('volume.restore').at(-1)).toMatchObject({ user: owner.id, record: own.id });
  });

  it('are nothing where they break off, and say why', async () => {
    const own = await newVolume();
    files.volumes.breaksOff = true;
    const backup = await backUp(own);
    expect(backup).toMatchObject({ status: 'failed', statusMessage: expect.stringContaining('broke off') as string });
    expect(fs.readdirSync(path.dirname(fileOf('x'))).filter((name) => name.includes(backup.id))).toEqual([]);
  });

  it('are not taken from what is no tar', async () => {
    const own = await newVolume();
    const answer = await api('POST', at('/backups/upload', own), { as: owner, body, headers: octets });
    expect(answer.status).toBe(400);
    expect(backupsOf(own)).toEqual([]);
  });

  it('go with their volume, files and all', async () => {
    const own = await newVolume();
    const backup = await backUp(own);
    expect((await api('POST', at('/remove', own), { as: owner, body: { removeData: false } })).status).toBe(204);
    expect(backupsOf(own)).toEqual([]);
    await vi.waitFor(() => expect(fs.existsSync(fileOf(backup.id))).toBe(false));
  });

  it('that a killed console left half are failed at its start, and their files gone', async () => {
    const own = await newVolume();
    const row = await write((tx) =>
      tx.insert(volumeBackups, { volume: String(own.id), status: 'running', origin: 'asked' }),
    );
    fs.writeFileSync(`${fileOf(row.id)}.partial`, 'half');
    await sweepPartial();
    await closeInterrupted();
    expect(fs.existsSync(`${fileOf(row.id)}.partial`)).toBe(false);
    expect(new StoreReader().get(volumeBackups, row.id)).toMatchObject({
      status: 'failed',
      statusMessage: 'The console was stopped meanwhile.',
    });
  });
});

describe('a schedule', () => {
  const set = (of: AnyRow, backupSchedule: unknown) =>
    api('PATCH', `/api/collections/volumes/records/${String(of.id)}`, { as: owner, body: { backupSchedule } });
  const due = (of: AnyRow) =>
    write((tx) => tx.patch(volumes, String(of.id), { nextBackupAt: '2020-01-01 00:00:00.000Z' }));

  it('is refused at its field where it makes no sense', async () => {
    const own = await newVolume();
    expect((await set(own, { every: 'day', at: '25:00', keep: 1 })).json.data).toHaveProperty('backupSchedule');
    expect((await set(own, { every: 'day', at: '03:00', keep: 0 })).status).toBe(400);
    expect(new StoreReader().get(volumes, String(own.id))!.nextBackupAt).toBe('');
  });

  it('makes up once for what was missed, and keeps so many', async () => {
    const own = await newVolume();
    const asked = await backUp(own);
    const { json } = await set(own, { every: 'hours', hours: 6, keep: 2 });
    expect(json).toMatchObject({ nextBackupAt: expect.stringMatching(/^20/) as string });
    for (let count = 1; count <= 3; count += 1) {
      await due(own);
      await sweepDueBackups();
      await sweepDueBackups();
      const made = () => backupsOf(own).filter(({ origin, status }) => origin === 'schedule' && status === 'done');
      await vi.waitFor(() => expect(made()).toHaveLength(Math.min(count, 2)));
      await vi.waitFor(() => expect(backupsOf(own).every(({ status }) => status === 'done')).toBe(true));
    }
    expect(backupsOf(own).map(({ id }) => id)).toContain(asked.id);
    expect(new StoreReader().get(volumes, String(own.id))!.nextBackupAt > new Date().toISOString().slice(0, 10)).toBe(
      true,
    );
    expect((await set(own, null)).json).toMatchObject({ nextBackupAt: '' });
  });
});
