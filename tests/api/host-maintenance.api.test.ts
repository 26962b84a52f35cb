import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { auditTable } from '@/db/schema/audit';
import { closeDb } from '@/db/database';
import { hosts } from '@/lib/hosts/collection';
import { tellBuildNews } from '@/lib/images/build-news';
import { images } from '@/lib/images/collection';
import { quotas } from '@/lib/quotas/collection';
import { prepare } from '@/lib/records/statements';
import { StoreReader, write } from '@/lib/records/transaction';
import { volumeBackups } from '@/lib/volumes/backups/collection';
import { volumes } from '@/lib/volumes/collection';
import { workspaces } from '@/lib/workspaces/collection';
import { sweepMaintenance } from '@/lib/workspaces/maintenance/sweep';
import { api } from '../setup/api';
import { createImage, createUser, readWorkspace, type UserActor } from './factories';
import { TimesLab } from './times-lab';

const lab = new TimesLab();
let admin: UserActor;
beforeAll(async () => {
  await lab.open();
  admin = await createUser({ isAdmin: true });
});
beforeEach(() => end(false));
afterAll(async () => {
  await lab.close();
  closeDb();
});

const REASON = 'New disks';
const WORDS = () => `Host ${lab.host.name} is in maintenance (${REASON}).`;
const path = (name = 'maintenance') => `/api/host/${lab.host.id}/${name}`;
const begin = (stopWorkspaces = false, as: UserActor = admin, reason = REASON) =>
  api('POST', path(), { as, body: { reason, stopWorkspaces } });
const end = (startWorkspaces: boolean, as: UserActor = admin) =>
  api('POST', path('end-maintenance'), { as, body: { startWorkspaces } });
const hostNow = () => new StoreReader().get(hosts, lab.host.id)!;
const row = (id: string) => readWorkspace(id)!;
const ask = (id: string, action: string, as: UserActor = lab.owner) =>
  api('POST', `/api/workspace/${id}/request`, { as, body: { action } });
const create = (collection: string, body: object, as: UserActor = lab.owner) =>
  api('POST', `/api/collections/${collection}/records`, { as, body });
const named = (body: object = {}) => ({ name: `m-${Math.random().toString(36).slice(2)}`, host: lab.host.id, ...body });
const refusal = (field: string) => ({
  status: 400,
  json: { data: { [field]: { code: 'validation_maintenance', message: WORDS() } } },
});
const audited = (action: string) =>
  new StoreReader().find({ name: 'audit', table: auditTable }, { record: lab.host.id, action }, { orderBy: 'created' });
async function running(values: object = {}): Promise<string> {
  const { id } = await lab.create({ ...values });
  await lab.run(id);
  return id;
}

describe('a host in maintenance', () => {
  it('is switched by whoever may modify it, and by nobody else', async () => {
    for (const url of [path(), path('end-maintenance')]) {
      expect((await api('POST', url, { body: { reason: REASON } })).status).toBe(401);
    }
    const stranger = await createUser();
    for (const as of [stranger, lab.owner]) {
      const status = as === stranger ? 404 : 403;
      expect((await begin(true, as)).status).toBe(status);
      expect((await end(true, as)).status).toBe(status);
      expect((await api('GET', path(), { as })).status).toBe(status);
    }
    expect(hostNow().maintenance).toBeNull();
    expect((await begin(false, admin, '  ')).json).toMatchObject({ data: { reason: { message: 'Cannot be blank.' } } });
    expect((await begin(false, admin, 'x'.repeat(301))).status).toBe(400);
    expect(hostNow().maintenance).toBeNull();
    expect(await end(true)).toMatchObject({ status: 409 });
    expect(audited('host.maintenance')).toEqual([]);
    // It is no field that a form could write.
    await api('PATCH', `/api/collections/hosts/records/${lab.host.id}`, {
      as: admin,
      body: { maintenance: { reason: 'x' } },
    });
    expect(hostNow().maintenance).toBeNull();
  });

  it('tells everybody who sees it, and the audit log', async () => {
    expect(await begin()).toMatchObject({ status: 200, json: { maintenance: { reason: REASON } } });
    const read = await api('GET', `/api/collections/hosts/records/${lab.host.id}`, { as: lab.owner });
    expect(read.json).toMatchObject({ maintenance: { reason: REASON, since: expect.any(String) } });
    const { since } = hostNow().maintenance!;
    await begin(false, admin, 'Longer');
    expect(hostNow().maintenance).toEqual({ reason: 'Longer', since });
    expect(await end(false)).toMatchObject({ status: 200, json: { maintenance: null } });
    const entries = audited('host.maintenance').filter(({ details }) => details !== null);
    expect(entries.slice(-3).map(({ user, details }) => [user, details])).toEqual([
      [admin.id, { on: true, reason: REASON }],
      [admin.id, { on: true, reason: 'Longer' }],
      [admin.id, { on: false }],
    ]);
  });

  it('begins nothing new, and says so at the field', async () => {
    const { id } = await lab.create();
    const up = await running();
    const template = await lab.create({ template: true });
    const image = await createImage({ build_on: lab.host.id, created_by: lab.owner.id, status: 'build_finished' });
    const volume = await write((tx) => tx.insert(volumes, { name: 'm-vol', host: lab.host.id, created_by: admin.id }));
    const backup = await write((tx) => tx.insert(volumeBackups, { volume: volume.id, status: 'done' }));
    await begin();
    const imageFields = {
      name: 'm-image',
      build_on: lab.host.id,
      creationType: 'writeDockerfile',
      dockerfile: 'FROM a\n',
    };
    const counts = () =>
      ['workspaces', 'images', 'builds', 'volumes', 'networks', 'deployments'].map((table) => countOf(table));
    const before = counts();
    expect(await ask(id, 'start')).toMatchObject(refusal('host'));
    expect(await ask(up, 'redeploy')).toMatchObject(refusal('host'));
    expect(await create('workspaces', named({ image: image.id }))).toMatchObject(refusal('host'));
    expect(await create('workspaces', named({ image: image.id, template: true }))).toMatchObject(refusal('host'));
    const real = await api('PATCH', `/api/collections/workspaces/records/${template.id}`, {
      as: lab.owner,
      body: { template: false },
    });
    expect(real).toMatchObject(refusal('host'));
    expect(await create('volumes', named(), admin)).toMatchObject(refusal('host'));
    expect(await create('networks', named(), admin)).toMatchObject(refusal('host'));
    expect(await create('images', imageFields)).toMatchObject(refusal('build_on'));
    const built = await api('POST', `/api/image/${image.id}/request`, { as: lab.owner, body: { action: 'build' } });
    expect(built).toMatchObject(refusal('build_on'));
    const check = {
      build_on: lab.host.id,
      baseImage: 'debian:12',
      environments: [{ type: 'pip', name: 'a', packages: [] }],
    };
    const checked = await api('POST', '/api/images/check', { as: lab.owner, body: check });
    expect(checked.status).toBe(400);
    expect(counts()).toEqual(before);
    const restored = await api('POST', `/api/volume-backup/${backup.id}/restore`, {
      as: admin,
      body: { name: volume.name },
    });
    expect(restored).toMatchObject(refusal('volume'));
    // Admins too.
    expect(await ask(id, 'start', admin)).toMatchObject(refusal('host'));
  });

  it('lets what is there be stopped, changed and deleted', async () => {
    const up = await running();
    const down = await lab.create();
    await begin();
    expect((await ask(up, 'stop')).status).toBe(202);
    expect(row(up)).toMatchObject({ desired: 'stopped', drain: '' });
    const renamed = await api('PATCH', `/api/collections/workspaces/records/${down.id}`, {
      as: lab.owner,
      body: { description: 'd' },
    });
    expect(renamed.status).toBe(200);
    expect((await ask(down.id, 'delete')).status).toBe(202);
    expect(readWorkspace(down.id)).toBeUndefined();
  });

  it('fails what waited for an image’s build, with the reason', async () => {
    const { id } = await lab.create();
    await write((tx) => tx.patch(images, lab.image.id, { status: 'building' }));
    await ask(id, 'start');
    expect(row(id).status).toBe('building');
    await begin();
    await write((tx) => {
      const image = tx.patch(images, lab.image.id, { status: 'build_finished' })!;
      tellBuildNews(tx, image, 'built');
    });
    expect(row(id)).toMatchObject({ status: 'error', statusMessage: WORDS() });
  });

  it('has a start of a schedule refused, and its owner told', async () => {
    lab.set('2026-03-02T16:00:00Z');
    const schedule = { timeZone: 'UTC', start: { at: '08:00', weekdays: [1, 2, 3, 4, 5] }, stop: null };
    const { id } = await lab.create({ schedule });
    await begin();
    lab.set('2026-03-03T08:00:00Z');
    await lab.jump(0);
    expect(row(id).desired).toBe('stopped');
    expect(lab.notices(id)).toMatchObject([{ kind: 'startFailed', details: { reason: WORDS() } }]);
  });
});

describe('what a maintenance stops', () => {
  it('is started again at its end, and what somebody stopped stays stopped', async () => {
    const [ups, byHand] = [[await running(), await running()], await running()];
    expect((await api('GET', path(), { as: admin })).json).toMatchObject({ stopped: 0, running: countUp() });
    expect((await begin(true)).json).toMatchObject({ running: 0 });
    await ask(byHand, 'stop');
    await sweepMaintenance();
    for (const id of ups) {
      expect(row(id)).toMatchObject({ desired: 'stopped', drain: 'stopped' });
      expect(lab.history(id).at(-1)!.steps![0]!.message).toBe(`Stopped for the maintenance of host ${lab.host.name}.`);
      expect(lab.notices(id)).toMatchObject([
        { kind: 'drainStopped', details: { host: lab.host.name, reason: REASON } },
      ]);
      await lab.observe(id, 'stopped');
    }
    expect(row(byHand)).toMatchObject({ desired: 'stopped', drain: '' });
    expect(await ask(ups[0]!, 'start')).toMatchObject(refusal('host'));
    await end(true);
    await sweepMaintenance();
    for (const id of ups) {
      expect(row(id)).toMatchObject({ desired: 'running', drain: '' });
      expect(lab.history(id).at(-1)!.steps![0]!.message).toContain('Started again after the maintenance');
    }
    expect(row(byHand).desired).toBe('stopped');
  });

  it('is left to whoever touched it since, and to an end that starts nothing', async () => {
    const [edited, disabled, left] = [await running(), await running(), await running()];
    await drain(edited, disabled, left);
    const change = { as: lab.owner, body: { description: 'mine' } };
    await api('PATCH', `/api/collections/workspaces/records/${edited}`, change);
    await ask(disabled, 'disable');
    expect([row(edited).drain, row(disabled).drain, row(left).drain]).toEqual(['', '', 'stopped']);
    await end(false);
    await sweepMaintenance();
    for (const id of [edited, disabled, left]) expect(row(id)).toMatchObject({ desired: 'stopped', drain: '' });
  });

  it('is held by its owner’s quota and rights, and the owner is told', async () => {
    const id = await running({ cpuLimit: 1 });
    await drain(id);
    await write((tx) => void tx.insert(quotas, { user: lab.owner.id, cpus: 0 }));
    await end(true);
    await sweepMaintenance();
    await write((tx) => {
      for (const quota of tx.find(quotas, { user: lab.owner.id })) tx.remove(quotas, quota.id);
    });
    expect(row(id)).toMatchObject({ desired: 'stopped', drain: '' });
    expect(lab.told(id)).toEqual(['drainStopped', 'drainStartFailed']);
    const gone = await running();
    await drain(gone);
    await lab.disableOwner();
    await end(true);
    await sweepMaintenance();
    await lab.disableOwner(true);
    expect(row(gone).desired).toBe('stopped');
    expect(lab.told(gone)).toEqual(['drainStopped', 'drainStartFailed']);
  });

  it('is not deleted by the clock for as long as nobody can start it', async () => {
    const id = await running({ deleteAfterDays: 1 });
    await drain(id);
    expect(row(id).deletesAt).toBe('');
    await lab.jump(3 * 24 * 60);
    expect(lab.told(id)).toEqual(['drainStopped']);
    await end(false);
    await sweepMaintenance();
    expect(row(id).deletesAt).not.toBe('');
  });

  it('has its days anew where they end in a maintenance, whoever stopped it', async () => {
    const [idle, edited] = [await running({ deleteAfterDays: 2 }), await running({ deleteAfterDays: 2 })];
    await ask(idle, 'stop');
    await lab.observe(idle, 'stopped');
    await drain(edited);
    await api('PATCH', `/api/collections/workspaces/records/${edited}`, { as: lab.owner, body: { description: 'x' } });
    for (let day = 0; day < 5; day += 1) await lab.jump(24 * 60);
    expect([lab.told(idle), row(idle).status, row(edited).status]).toEqual([[], 'stopped', 'stopped']);
    await end(false);
    for (let day = 0; day < 4; day += 1) await lab.jump(24 * 60);
    for (const id of [idle, edited]) {
      expect(lab.told(id).slice(-2)).toEqual(['deleteSoon', 'deleted']);
      expect(readWorkspace(id)?.statusMessage ?? '').toMatch(/^(Being deleted.*)?$/);
    }
  });

  it('is not started again beyond the stop of its schedule', async () => {
    lab.set('2026-04-06T16:00:00Z');
    const stop = { at: '18:00', weekdays: [1, 2, 3, 4, 5] };
    const id = await running({ schedule: { timeZone: 'UTC', start: null, stop } });
    await drain(id);
    lab.set('2026-04-06T18:00:00Z');
    await lab.jump(0);
    await end(true);
    await sweepMaintenance();
    expect(row(id)).toMatchObject({ desired: 'stopped', drain: '' });
  });

  it('goes on where the console was killed in the middle, and an end before that stops no more', async () => {
    const [first, second] = [await running(), await running()];
    await begin(true);
    // As one that stopped after the first workspace finds it.
    await write((tx) => tx.observe(workspaces, second, { drain: '' }));
    await sweepMaintenance();
    await write((tx) => tx.observe(workspaces, second, { drain: 'stop' }));
    expect([row(first).desired, row(second).desired]).toEqual(['stopped', 'running']);
    await sweepMaintenance();
    expect([row(first).drain, row(second).drain]).toEqual(['stopped', 'stopped']);
    const third = await (async () => {
      await end(false);
      await sweepMaintenance();
      const id = await running();
      await begin(true);
      await end(true);
      await sweepMaintenance();
      return id;
    })();
    expect(row(third)).toMatchObject({ desired: 'running', drain: '' });
  });

  it('waits for the next end where a new maintenance begins before it was started', async () => {
    const id = await running();
    await drain(id);
    await end(true);
    await begin(false);
    await sweepMaintenance();
    expect(row(id)).toMatchObject({ desired: 'stopped', drain: 'stopped' });
    await end(true);
    await sweepMaintenance();
    expect(row(id).desired).toBe('running');
  });
});

async function drain(...ids: string[]): Promise<void> {
  await begin(true);
  await sweepMaintenance();
  for (const id of ids) {
    expect(row(id).drain).toBe('stopped');
    await lab.observe(id, 'stopped');
  }
}

function countOf(table: string): number {
  return prepare<number>(`SELECT COUNT(*) FROM ${table}`).pluck().get() as number;
}

function countUp(): number {
  return new StoreReader().find(workspaces, { host: lab.host.id, desired: 'running' }).length;
}
