import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeDb } from '@/db/database';
import { hostPermissions } from '@/lib/hosts/permissions';
import { newId } from '@/lib/ids';
import { quotas } from '@/lib/quotas/collection';
import { write } from '@/lib/records/transaction';
import { workspaces } from '@/lib/workspaces/collection';
import { workspacePermissions } from '@/lib/workspaces/permissions';
import { timeNotices } from '@/lib/notices/collection';
import { sweepTimes } from '@/lib/workspaces/times/sweep';
import { api } from '../setup/api';
import { createGroup } from '../setup/world';
import { createUser, readWorkspace, type UserActor } from './factories';
import { TimesLab } from './times-lab';

const lab = new TimesLab();
beforeAll(() => lab.open());
afterAll(async () => {
  await lab.close();
  closeDb();
});

const change = (id: string, body: object, as: UserActor = lab.owner) =>
  api('PATCH', `/api/collections/workspaces/records/${id}`, { as, body: body as never });
const keep = (id: string, until: unknown, as: UserActor | undefined = lab.owner) =>
  api('POST', `/api/workspace/${id}/keep`, { ...(as && { as }), body: { until } as never });
const grantee = async (workspace: string, flags: object) => {
  const user = await createUser();
  await write((tx) => tx.insert(workspacePermissions, { user: user.id, workspace, ...flags }));
  return user;
};
const iso = (minutes: number) => new Date(lab.now + minutes * 60_000).toISOString();
const daily = (more: object) => ({ timeZone: 'UTC', start: { at: '08:00', weekdays: [1] }, ...more });

describe('times of a workspace', () => {
  it('are set by whoever may do by hand what they do', async () => {
    const { id } = await lab.create();
    const viewer = await grantee(id, { view: true });
    const editor = await grantee(id, { view: true, modify: true });
    const runner = await grantee(id, { view: true, modify: true, deploy: true });
    const remover = await grantee(id, { view: true, modify: true, delete: true });
    const idle = { idleMinutes: 60 };
    const deletion = { deleteAfterDays: 1 };
    expect((await change(id, idle, viewer)).status).toBe(404);
    for (const [body, field] of [
      [idle, 'idleMinutes'],
      [{ schedule: daily({}) }, 'schedule'],
      [deletion, 'deleteAfterDays'],
    ] as const) {
      const refused = await change(id, body, editor);
      expect(refused).toMatchObject({ status: 400, json: { data: { [field]: { code: 'validation_not_allowed' } } } });
    }
    expect(readWorkspace(id)).toMatchObject({ idleMinutes: 0, schedule: null, deleteAfterDays: 0, nextTimeAt: '' });
    expect((await change(id, deletion, runner)).status).toBe(400);
    expect((await change(id, idle, runner)).status).toBe(200);
    expect((await change(id, deletion, remover)).status).toBe(200);
    expect((await change(id, { description: 'x', ...idle, ...deletion }, editor)).status).toBe(200);
  });

  it.each([
    ['idleMinutes', 4],
    ['idleMinutes', -5],
    ['idleMinutes', 10_081],
    ['idleMinutes', 7.5],
    ['idleMinutes', 1e308],
    ['idleMinutes', 'Infinity'],
    ['deleteAfterDays', 3651],
    ['deleteAfterDays', -1],
    ['schedule', daily({ timeZone: 'Mars/Olympus' })],
    ['schedule', daily({ timeZone: '+02:00' })],
    ['schedule', daily({ timeZone: 'x'.repeat(5000) })],
    ['schedule', daily({ start: { at: '24:00', weekdays: [1] } })],
    ['schedule', daily({ start: { at: '08:00', weekdays: [] } })],
    ['schedule', daily({ start: { at: '08:00', weekdays: [7] } })],
    ['schedule', daily({ start: { at: '08:00', weekdays: [1, 1] } })],
    ['schedule', daily({ stop: { at: '08:00', weekdays: [1] } })],
    ['schedule', { timeZone: 'UTC' }],
    ['schedule', 'every day'],
    ['schedule', daily({ more: true })],
  ])('refuse %s as %j at the field', async (field, value) => {
    const { id, updated } = await lab.create();
    const refused = await change(id, { [field]: value });
    expect(refused.status).toBe(400);
    expect(refused.json.data).toHaveProperty(field);
    expect(readWorkspace(id)).toMatchObject({ updated, nextTimeAt: '' });
  });

  it('are not what a client says that they are', async () => {
    const { id } = await lab.create();
    const told = {
      keptUntil: '2099-01-01 00:00:00.000Z',
      deletesAt: '2020-01-01',
      nextStartAt: '2020-01-01',
      stopsAt: '',
    };
    await change(id, { ...told, nextTimeAt: '2020-01-01', deleteFrom: '2020-01-01', warnedAt: '2020-01-01' });
    const empty = { keptUntil: '', deletesAt: '', nextStartAt: '', nextTimeAt: '', deleteFrom: '', warnedAt: '' };
    expect(readWorkspace(id)).toMatchObject(empty);
  });
});

describe('ceilings', () => {
  it('hold for everybody but admins, at the field', async () => {
    await lab.bound({ idleMinutesMax: 120, idleMinutesDefault: 60, deleteDaysMax: 30 });
    expect(await lab.create()).toMatchObject({ idleMinutes: 60, deleteAfterDays: 30 });
    const { id } = await lab.create({ idleMinutes: 120, deleteAfterDays: 1 });
    for (const idleMinutes of [0, 121]) {
      const message = 'Enter at most 120 minutes: admins allow no more.';
      expect((await change(id, { idleMinutes })).json.data).toMatchObject({ idleMinutes: { message } });
    }
    expect((await change(id, { deleteAfterDays: 0 })).json.data).toHaveProperty('deleteAfterDays');
    await expect(lab.create({ idleMinutes: 0 })).rejects.toThrow('admins allow no more');
    const admin = await createUser({ isAdmin: true });
    expect((await change(id, { idleMinutes: 0 }, admin)).status).toBe(200);
    expect((await change(id, { idleMinutes: 0, name: `n-${newId()}` })).status).toBe(200);
    const bounds = await api('GET', '/api/workspaces/time-bounds', { as: lab.owner });
    expect(bounds.json).toMatchObject({ idleMinutesMax: 120, idleMinutesDefault: 60, keepHoursMax: 168 });
    const forAdmins = await api('GET', '/api/workspaces/time-bounds', { as: admin });
    expect(forAdmins.json).toMatchObject({ idleMinutesMax: 0, idleMinutesDefault: 60, keepHoursMax: 720 });
    expect((await api('GET', '/api/workspaces/time-bounds')).status).toBe(401);
    await lab.bound({});
  });

  it('are those of a person, or the most generous of their groups, before those for everybody', async () => {
    await lab.bound({ idleMinutesMax: 120, idleMinutesDefault: 90, deleteDaysMax: 30, keepHoursMax: 24 });
    const [person, admin] = [await createUser(), await createUser({ isAdmin: true })];
    const groups = [await createGroup([person]), await createGroup([person])];
    await write((tx) => {
      tx.insert(quotas, { group: groups[0]!.id as string, idleMinutesMax: 300, keepHoursMax: 48 });
      tx.insert(quotas, { group: groups[1]!.id as string, idleMinutesMax: 30, keepHoursMax: 'unlimited' });
      tx.insert(quotas, { user: person.id, deleteDaysMax: 3 });
    });
    const { id } = await lab.create();
    await write((tx) => {
      tx.patch(workspaces, id, { created_by: person.id });
      tx.insert(hostPermissions, { user: person.id, host: lab.host.id, view: true, canCreateWorkspaces: true });
    });
    const bounds = async (as: UserActor, of = '') =>
      (await api('GET', `/api/workspaces/time-bounds?workspace=${of}`, { as })).json;
    const own = { idleMinutesMax: 300, idleMinutesDefault: 90, deleteDaysMax: 3, deleteDaysDefault: 3 };
    expect(await bounds(person)).toEqual({ ...own, keepHoursMax: 720 });
    expect(await bounds(admin, id)).toEqual({ ...own, keepHoursMax: 720 });
    expect((await api('GET', `/api/workspaces/time-bounds?workspace=${id}`, { as: lab.owner })).status).toBe(404);
    expect((await change(id, { idleMinutes: 301, deleteAfterDays: 4 }, person)).json.data).toMatchObject({
      idleMinutes: { message: 'Enter at most 300 minutes: admins allow no more.' },
      deleteAfterDays: { message: 'Enter at most 3 days: admins allow no more.' },
    });
    expect((await change(id, { idleMinutes: 300, deleteAfterDays: 3 }, person)).status).toBe(200);
    // What binds is the owner's, whoever acts.
    const runner = await grantee(id, { view: true, modify: true, deploy: true });
    expect((await change(id, { idleMinutes: 301 }, runner)).status).toBe(400);
    expect((await keep(id, iso(60 * 700), runner)).status).toBe(200);
    const told = (await api('GET', '/api/quota', { as: person })).json as { times: unknown };
    const none = { from: 'group', group: { id: groups[1]!.id } };
    expect(told.times).toMatchObject([
      { time: 'idleMinutesMax', bound: 300, from: 'group', group: { id: groups[0]!.id } },
      { time: 'deleteDaysMax', bound: 3, from: 'user', group: null },
      { time: 'keepHoursMax', bound: null, ...none },
    ]);
    await lab.bound({});
  });

  it('of a quota are whole numbers within their range, and none for everybody', async () => {
    const admin = await createUser({ isAdmin: true });
    const user = (await createUser()).id;
    const set = async (body: object) =>
      (await api('POST', '/api/collections/quotas/records', { as: admin, body: body as never })).json.data;
    const words = (field: string, message: string) => ({ [field]: { message } });
    expect(await set({ user, idleMinutesMax: 4 })).toMatchObject(words('idleMinutesMax', 'Must be at least 5.'));
    expect(await set({ user, keepHoursMax: 0 })).toHaveProperty('keepHoursMax');
    expect(await set({ user, deleteDaysMax: 'much' })).toHaveProperty('deleteDaysMax');
    expect(await set({ keepHoursMax: 5 })).toMatchObject(
      words('keepHoursMax', 'What holds for everybody is set in the settings of time.'),
    );
  });

  it.each([
    [{ idleMinutesMax: 3 }, 'idleMinutesMax'],
    [{ idleMinutesMax: 60, idleMinutesDefault: 90 }, 'idleMinutesDefault'],
    [{ keepHoursMax: 0 }, 'keepHoursMax'],
    [{ quietCpuPercent: -1 }, 'quietCpuPercent'],
  ])('are refused as %j', async (value, field) => {
    const admin = await createUser({ isAdmin: true });
    const refused = await api('POST', '/api/collections/settings/records', {
      as: admin,
      body: { key: 'times', value },
    });
    expect([refused.status, JSON.stringify(refused.json)]).toEqual([400, expect.stringContaining(field)]);
  });
});

describe('keeping a workspace', () => {
  it('is for whoever may start and stop it', async () => {
    const { id } = await lab.create();
    const viewer = await grantee(id, { view: true, modify: true });
    const runner = await grantee(id, { view: true, deploy: true });
    expect((await keep(id, iso(60), viewer)).status).toBe(403);
    expect((await keep(id, iso(60), await createUser())).status).toBe(404);
    expect((await api('POST', `/api/workspace/${id}/keep`, { body: { until: iso(60) } })).status).toBe(401);
    expect(readWorkspace(id)!.keptUntil).toBe('');
    expect((await keep(id, iso(60), runner)).status).toBe(200);
    expect((await keep(id, '', runner)).json).toEqual({ keptUntil: '' });
    expect(readWorkspace(id)!.keptUntil).toBe('');
  });

  it('goes no further than admins allow, and not into the past', async () => {
    const { id } = await lab.create();
    const template = await lab.create({ template: true });
    for (const until of [iso(-1), iso(0), iso(7 * 24 * 60 + 1), '9999-12-31T00:00:00Z', 'tomorrow', 5, null]) {
      const refused = await keep(id, until);
      expect([refused.status, Object.keys(refused.json.data as object)]).toEqual([400, ['until']]);
    }
    expect((await keep(id, iso(7 * 24 * 60))).status).toBe(200);
    expect((await keep(template.id, iso(60))).status).toBe(400);
  });
});

describe('notices', () => {
  it('are for the person whom they tell, and never more than a hundred', async () => {
    const { id } = await lab.create({ deleteAfterDays: 1 });
    await lab.jump(18 * 60);
    expect(lab.told(id)).toEqual(['deleteSoon']);
    const url = '/api/collections/time_notices/records';
    const own = await api('GET', `${url}?filter=(workspace='${id}')`, { as: lab.owner });
    expect(own.json).toMatchObject({ totalItems: 1, items: [{ kind: 'deleteSoon', details: { days: 1 } }] });
    for (const as of [await createUser(), await createUser({ isAdmin: true })]) {
      expect((await api('GET', url, { as })).json).toMatchObject({ totalItems: 0 });
    }
    expect((await api('POST', url, { as: lab.owner, body: { user: lab.owner.id } })).status).toBe(403);
    await write((tx) => {
      for (let made = 0; made < 150; made += 1) {
        tx.insert(timeNotices, { user: lab.owner.id, workspace: 'w', name: 'w', kind: 'idleStopped', details: {} });
      }
    });
    for (let round = 0; round < 4; round += 1) {
      await lab.create({ deleteAfterDays: 1 });
      await lab.jump(18 * 60);
    }
    const all = await api('GET', url, { as: lab.owner });
    expect(all.json.totalItems).toBeLessThanOrEqual(101);
  });
});

describe('very many that are due at once', () => {
  it('are all done, each once, and others have their turn meanwhile', { timeout: 120_000 }, async () => {
    const count = 5000;
    const base = { host: lab.host.id, image: lab.image.id, created_by: lab.owner.id, enabled: true };
    const schedule = { timeZone: 'UTC', start: null, stop: { at: '12:00', weekdays: [0, 1, 2, 3, 4, 5, 6] } };
    const due = new Date(lab.now - 60_000).toISOString().replace('T', ' ');
    const times = { schedule, nextStopAt: due, nextTimeAt: due };
    await write((tx) => {
      for (let made = 0; made < count; made += 1) {
        tx.insert(workspaces, { ...base, ...times, name: `mass-${made}`, desired: 'running', status: 'running' });
      }
    });
    let longest = 0;
    let last = performance.now();
    const watch = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 5);
    await Promise.all([sweepTimes(), sweepTimes()]);
    clearInterval(watch);
    const left = await api('GET', `/api/collections/workspaces/records?filter=(name~'mass-'%26%26desired='running')`, {
      as: lab.owner,
    });
    expect(left.json.totalItems).toBe(0);
    console.log(longest);
    expect(longest, 'the longest that requests wait, in ms').toBeLessThan(500);
  });
});
