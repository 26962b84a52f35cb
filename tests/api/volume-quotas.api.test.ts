import fs from 'node:fs';
import path from 'node:path';
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { pack } from 'tar-stream';
import { closeDb } from '@/db/database';
import { env } from '@/lib/env';
import type { HostRow } from '@/lib/hosts/collection';
import { agentRoutes } from '@/lib/hosts/link/agent-routes';
import { quotas } from '@/lib/quotas/collection';
import { usageOf } from '@/lib/quotas/usage';
import type { AnyRow } from '@/lib/records/collection';
import { StoreReader, write } from '@/lib/records/transaction';
import { volumeBackups } from '@/lib/volumes/backups/collection';
import { sweepDueBackups } from '@/lib/volumes/backups/schedule';
import { volumes } from '@/lib/volumes/collection';
import { api } from '../setup/api';
import { send } from '../setup/call';
import { createPerson, createVolume, grantTo } from '../setup/world';
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
let volume: AnyRow & { id: string };

beforeAll(async () => {
  server = await startLinkServer();
  files = await createFileHost();
  const made = await createHost(call);
  host = made.host;
  link = await connectLink(made.agent, server.port, { answer: files.answer });
});
afterAll(async () => {
  link.socket.terminate();
  await server.close();
  await files.close();
  closeDb();
});
beforeEach(async () => {
  owner = await createPerson();
  volume = await newVolume();
});

const newVolume = (overrides: AnyRow = {}) =>
  createVolume({ host: host.id, created_by: owner.id, status: 'created', ...overrides }) as Promise<
    AnyRow & { id: string }
  >;
const bound = (storageBytes: number) => write((tx) => tx.insert(quotas, { user: owner.id, storageBytes }));
const stored = (id = volume.id) => new StoreReader().get(volumes, id)!;
const backupsOf = () => new StoreReader().find(volumeBackups, { volume: volume.id });
const messageOf = ({ json }: { json: AnyRow }) => (json.data as { quota?: { message: string } }).quota?.message;
const sendFile = (bytes: number, { as = owner, name = 'a' } = {}) =>
  api('POST', `/api/volume/${volume.id}/files?path=/&name=${name}`, {
    as,
    body: 'x'.repeat(bytes),
    headers: { 'content-length': String(bytes), 'content-type': 'application/octet-stream' },
  });
const backUp = async (as = owner) => {
  const answer = await api('POST', `/api/volume/${volume.id}/backups`, { as });
  await vi.waitFor(() => expect(backupsOf().every(({ status }) => status !== 'running')).toBe(true));
  return answer;
};
const uploadTar = (bytes: Buffer) =>
  send(`/api/volume/${volume.id}/backups/upload`, {
    method: 'POST',
    as: owner,
    body: new Uint8Array(bytes),
    headers: { 'content-length': String(bytes.length), 'content-type': 'application/octet-stream' },
  });

async function tarOf(bytes: number): Promise<Buffer> {
  const archive = pack();
  archive.entry({ name: './noise' }, randomBytes(bytes));
  archive.finalize();
  const parts: Buffer[] = [];
  for await (const part of archive) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

describe('the quota of storage', () => {
  it('refuses an upload that would pass it, and counts one that was taken', async () => {
    await bound(100);
    expect((await sendFile(60)).status).toBe(200);
    expect(stored().sizeBytes).toBe(60);
    expect(messageOf(await sendFile(60, { name: 'b' }))).toMatch(/^Your quota of storage is 0 GiB; .* asks for/);
    expect((await sendFile(40, { name: 'b' })).status).toBe(200);
    expect(usageOf(owner.id).storageBytes).toBe(100);
  });

  it('is not passed by uploads at once, nor used up by one that failed', async () => {
    await bound(100);
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map((name) => sendFile(40, { name })));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 400, 400]);
    await api('POST', `/api/volume/${volume.id}/files?path=/nowhere&name=a`, {
      as: owner,
      body: 'x',
      headers: { 'content-length': '1', 'content-type': 'application/octet-stream' },
    });
    expect(usageOf(owner.id).storageBytes).toBeLessThanOrEqual(81);
  });

  it('is that of the owner, of whom others hear no numbers', async () => {
    await bound(10);
    const friend = await createPerson();
    await grantTo(friend, 'volume', { on: volume, flags: ['attach', 'modify'] });
    expect(messageOf(await sendFile(60, { as: friend }))).toBe('The quota of its owner does not allow this.');
    await write((tx) => void tx.observe(volumes, volume.id, { sizeBytes: 11 }));
    expect(messageOf(await backUp(friend))).toBe('The quota of its owner does not allow this.');
  });

  it('counts backups, and refuses those that have no room', async () => {
    const quota = await bound(10_000);
    expect((await backUp()).status).toBe(202);
    const [backup] = backupsOf();
    expect(backup!.status).toBe('done');
    expect(usageOf(owner.id).storageBytes).toBe(backup!.sizeBytes);
    await write((tx) => void tx.patch(quotas, quota.id, { storageBytes: backup!.sizeBytes + 1 }));
    expect((await backUp()).status).toBe(202);
    const failed = backupsOf().find(({ status }) => status === 'failed')!;
    expect(failed.statusMessage).toBe('The backup is larger than what the quota of storage has left.');
    expect(fs.existsSync(path.join(env().dataDir, 'volume-backups', `${failed.id}.tar.gz`))).toBe(false);
    await write((tx) => void tx.patch(quotas, quota.id, { storageBytes: backup!.sizeBytes }));
    expect(messageOf(await backUp())).toContain('Delete something first.');
    const upload = await uploadTar(await tarOf(10));
    expect([upload.status, await upload.text()]).toEqual([400, expect.stringContaining('Delete something first.')]);
  });

  it('is not passed by backups at once', async () => {
    const tar = await tarOf(20_000);
    await bound(50_000);
    const answers = await Promise.all([1, 2, 3, 4].map(() => uploadTar(tar)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(2);
    expect(backupsOf()).toHaveLength(2);
    expect(usageOf(owner.id).storageBytes).toBeLessThanOrEqual(50_000);
  });

  it('fails a scheduled backup in words without numbers', async () => {
    await bound(0);
    await write((tx) => {
      const backupSchedule = { every: 'day', at: '03:00', weekday: 1, timeZone: 'UTC', keep: 2 };
      tx.patch(volumes, volume.id, {
        backupSchedule: backupSchedule as never,
        nextBackupAt: '2020-01-01 03:00:00.000Z',
      });
    });
    await sweepDueBackups();
    expect(backupsOf()).toMatchObject([
      { status: 'failed', statusMessage: 'The quota of its owner does not allow this.' },
    ]);
  });

  it('refuses a restore of more than there is room for', async () => {
    const quota = await bound(1_000_000);
    expect((await backUp()).status).toBe(202);
    const [backup] = backupsOf();
    await write((tx) => void tx.patch(quotas, quota.id, { storageBytes: backup!.sizeBytes + 100 }));
    const restore = () =>
      api('POST', `/api/volume-backup/${backup!.id}/restore`, { as: owner, body: { name: volume.name } });
    expect(messageOf(await restore())).toContain('Your quota of storage');
    await write((tx) => void tx.observe(volumes, volume.id, { sizeBytes: backup!.tarBytes }));
    expect((await restore()).status).toBe(202);
    await vi.waitFor(() => expect(backupsOf()[0]!.restoreStatus).toBe('done'));
    expect(stored().sizeBytes).toBe(backup!.tarBytes);
  });
});
