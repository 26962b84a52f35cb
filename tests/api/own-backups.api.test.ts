import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { sweepAutomaticBackups } from '@/lib/backups/automatic';
import { backupsFolder } from '@/lib/backups/folder';
import { isBackupRunning } from '@/lib/backups/turn';
import { nowMs, setClock } from '@/lib/clock';
import { hashPassword } from '@/lib/passwords';
import { eventually } from '../setup/console-process';
import { api, sendApi } from '../setup/api';
import { openPrivateDatabase } from '../setup/database';
import { PASSWORD } from '../setup/second-factor';
import { createUser } from '../setup/world';
import { zipOf } from '../setup/zips';

openPrivateDatabase();

const CALL = '/api/console/backups';
let admin: { id: string };
let member: { id: string };
let putClockBack: (() => void) | undefined;

beforeAll(async () => {
  admin = await createUser({ isAdmin: true, passwordHash: await hashPassword(PASSWORD) });
  member = await createUser({});
});
afterEach(() => putClockBack?.());

const list = async () =>
  (await api('GET', CALL, { as: admin })).json as {
    items: { key: string; isAutomatic: boolean }[];
    next: string;
    failure: string;
  };
const keys = async () => (await list()).items.map(({ key }) => key);
const made = async () => eventually('the backup is made', () => !isBackupRunning());

async function backUp(): Promise<string> {
  const { status, json } = await api('POST', CALL, { as: admin });
  expect(status).toBe(202);
  await made();
  return String(json.key);
}

describe('backups of the console on its page', () => {
  test('are closed to everybody else, and to API tokens', async () => {
    const { json } = await api('POST', '/api/tokens', {
      as: admin,
      body: { name: 'x', scope: 'full', expiresInDays: 1 },
    });
    const token = { authorization: String(json.token) };
    const calls = [
      ['GET', CALL],
      ['POST', CALL],
      ['POST', `${CALL}/upload`],
      ['POST', `${CALL}/token`],
      ['DELETE', `${CALL}/x.zip`],
      ['POST', `${CALL}/x.zip/restore`],
    ] as const;
    for (const [method, path] of calls) {
      const body = method === 'POST' ? {} : undefined;
      expect((await sendApi(method, path, { body })).status).toBe(401);
      expect((await sendApi(method, path, { as: member, body })).status).toBe(403);
      expect((await sendApi(method, path, { headers: token, body })).status).toBe(403);
    }
    expect(fs.existsSync(backupsFolder()) ? fs.readdirSync(backupsFolder()) : []).toEqual([]);
  });

  test('are made, listed and deleted, and no name leads out of their folder', async () => {
    const key = await backUp();
    const nowhere = path.join(backupsFolder(), 'nowhere.zip');
    fs.symlinkSync('/nowhere/at/all', nowhere);
    expect((await list()).items).toEqual([expect.objectContaining({ key, isAutomatic: false })]);
    fs.rmSync(nowhere);
    for (const name of ['..%2F..%2Fberth.db', '%2e%2e%2fberth.db', '..%5cberth.db', 'none.zip', '.hidden.zip']) {
      expect((await sendApi('DELETE', `${CALL}/${name}`, { as: admin })).status).toBe(404);
      expect((await sendApi('POST', `${CALL}/${name}/restore`, { as: admin, body: { name } })).status).toBe(404);
    }
    expect((await sendApi('DELETE', `${CALL}/${key}`, { as: admin })).status).toBe(204);
    expect(await keys()).toEqual([]);
  });

  test('are downloaded and restored only with the password, and with the name typed', async () => {
    const key = await backUp();
    const ask = (path: string, body: object) => api('POST', `${CALL}/${path}`, { as: admin, body });
    expect(await ask('token', {})).toMatchObject({
      status: 400,
      json: { data: { password: { code: 'validation_required' } } },
    });
    expect((await ask('token', { password: 'wrong' })).status).toBe(400);
    const { json } = await ask('token', { password: PASSWORD });
    const opened = await sendApi('GET', `/api/backups/${key}?token=${String(json.token)}`);
    expect([
      opened.status,
      Buffer.from(await opened.arrayBuffer())
        .subarray(0, 2)
        .toString(),
    ]).toEqual([200, 'PK']);
    expect(await ask(`${key}/restore`, { name: 'other.zip', password: PASSWORD })).toMatchObject({
      status: 400,
      json: { data: { name: { message: 'Type the name of the backup as it is.' } } },
    });
    expect((await ask(`${key}/restore`, { name: key })).json).toMatchObject({ data: { password: {} } });
    await sendApi('DELETE', `${CALL}/${key}`, { as: admin });
  });

  test('that come from elsewhere are kept, and a zip that is none of ours is not restored', async () => {
    const form = new FormData();
    form.append('file', new Blob([new Uint8Array(await zipOf({ 'readme.txt': 'hello' }))]), 'elsewhere.zip');
    expect((await sendApi('POST', `${CALL}/upload`, { as: admin, body: form })).status).toBe(204);
    const { status, json } = await api('POST', `${CALL}/elsewhere.zip/restore`, {
      as: admin,
      body: { name: 'elsewhere.zip', password: PASSWORD },
    });
    expect({ status, message: json.message }).toMatchObject({
      status: 400,
      message: expect.stringMatching(/^The backup can not be restored/) as string,
    });
    await sendApi('DELETE', `${CALL}/elsewhere.zip`, { as: admin });
  });
});

describe('a schedule', () => {
  const save = (schedule: unknown) =>
    api('POST', '/api/collections/settings/records', { as: admin, body: { key: 'backups', value: { schedule } } });

  test('makes what is due once, keeps so many, and leaves those of people alone', async () => {
    expect((await save({ every: 'never', keep: 2 })).status).toBe(400);
    expect((await save({ every: 'day', at: '25:00', keep: 2 })).status).toBe(400);
    const byHand = await backUp();
    expect((await save({ every: 'day', at: '03:00', timeZone: 'UTC', keep: 2 })).status).toBe(200);
    await sweepAutomaticBackups();
    expect(await keys()).toEqual([byHand]);
    const { next } = await list();
    expect(next).toMatch(/ 03:00:00\.000Z$/);
    const startMs = nowMs();
    for (let day = 1; day <= 4; day += 1) {
      putClockBack?.();
      putClockBack = setClock(() => startMs + day * 86_400_000);
      await sweepAutomaticBackups();
      await sweepAutomaticBackups();
      // A file's own time is that of the disk: as if it had been made then.
      for (const { key, isAutomatic } of (await list()).items) {
        const file = path.join(backupsFolder(), key);
        if (isAutomatic && fs.statSync(file).mtimeMs < startMs + 3_600_000) {
          fs.utimesSync(file, nowMs() / 1000, nowMs() / 1000);
        }
      }
    }
    const { items } = await list();
    expect(items.filter(({ isAutomatic }) => isAutomatic).length).toBe(2);
    expect(items.filter(({ isAutomatic }) => !isAutomatic)).toMatchObject([{ key: byHand }]);
  });

  test('says why the last one was not made, and tries again later', async () => {
    putClockBack = setClock(() => Date.now() + 40 * 86_400_000);
    const folder = backupsFolder();
    const aside = `${folder}-aside`;
    fs.renameSync(folder, aside);
    fs.writeFileSync(folder, 'a file in its place');
    await sweepAutomaticBackups();
    fs.rmSync(folder);
    fs.renameSync(aside, folder);
    expect((await list()).failure).not.toBe('');
    const before = await keys();
    await sweepAutomaticBackups();
    expect(await keys()).toEqual(before);
    putClockBack();
    putClockBack = setClock(() => Date.now() + 40 * 86_400_000 + 16 * 60_000);
    await sweepAutomaticBackups();
    expect((await list()).failure).toBe('');
    expect((await keys()).length).toBeGreaterThanOrEqual(before.length);
  });
});
