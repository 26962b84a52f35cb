import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { auditTable } from '@/db/schema/audit';
import { closeDb } from '@/db/database';
import { hostPermissions } from '@/lib/hosts/permissions';
import { quotas } from '@/lib/quotas/collection';
import { StoreReader, write, WriteTransaction } from '@/lib/records/transaction';
import { workspaces } from '@/lib/workspaces/collection';
import { sweepTimes } from '@/lib/workspaces/times/sweep';
import { api } from '../setup/api';
import { readWorkspace } from './factories';
import { TimesLab } from './times-lab';

const lab = new TimesLab();
beforeAll(() => lab.open());
beforeEach(async () => {
  lab.quiet.clear();
  lab.isAnswering = true;
  await lab.bound({});
  await allow(undefined);
});
afterAll(async () => {
  await lab.close();
  closeDb();
});

const row = (id: string) => readWorkspace(id)!;
const audited = (id: string, action: string) =>
  new StoreReader().find({ name: 'audit', table: auditTable }, { record: id, action }, { orderBy: 'created' });
/** The quota of the owner; undefined for none. */
const allow = (amounts: { cpus: number } | undefined) =>
  write((tx) => {
    for (const { id } of tx.find(quotas, { user: lab.owner.id })) tx.remove(quotas, id);
    if (amounts) tx.insert(quotas, { user: lab.owner.id, ...amounts });
  });
const keep = (id: string, until: string, as = lab.owner) =>
  api('POST', `/api/workspace/${id}/keep`, { as, body: { until } });
const iso = (minutes: number) => new Date(lab.now + minutes * 60_000).toISOString();
const wire = (minutes: number) => iso(minutes).replace('T', ' ');

describe('a workspace that nobody uses', () => {
  it('is announced and then stopped, and the history says why', async () => {
    const { id } = await lab.create({ idleMinutes: 60 });
    await lab.run(id);
    await lab.pass(49);
    expect([row(id).desired, lab.told(id)]).toEqual(['running', []]);
    await lab.pass(2);
    expect(lab.notices(id)).toMatchObject([{ kind: 'idleSoon', user: lab.owner.id, details: { minutes: 60 } }]);
    const { stopsAt } = row(id);
    expect(lab.notices(id)[0]!.details).toMatchObject({ at: stopsAt });
    await lab.pass(8);
    expect(row(id).desired).toBe('running');
    await lab.pass(3);
    expect(row(id)).toMatchObject({ desired: 'stopped', stopsAt: '', warnedAt: '', lookAt: '' });
    expect(lab.told(id)).toEqual(['idleSoon', 'idleStopped']);
    const last = lab.history(id).at(-1)!;
    expect(last).toMatchObject({ action: 'stop', created_by: '' });
    expect(last.steps![0]!.message).toBe('Stopped after 60 minutes without use.');
    expect(audited(id, 'workspace.stop')).toMatchObject([
      { via: 'console', user: '', details: { by: 'idle', minutes: 60 } },
    ]);
  });

  it('goes on where somebody comes back after the warning', async () => {
    const { id } = await lab.create({ idleMinutes: 30 });
    await lab.run(id);
    await lab.pass(22);
    expect(row(id).warnedAt).not.toBe('');
    lab.quiet.set(id, 0);
    await lab.pass(2);
    expect(row(id)).toMatchObject({ desired: 'running', warnedAt: '' });
    await lab.pass(17);
    expect(row(id).desired).toBe('running');
    expect(lab.told(id)).toEqual(['idleSoon']);
  });

  it('is not stopped while nobody can tell, nor without a warning after that', async () => {
    const { id } = await lab.create({ idleMinutes: 30 });
    await lab.run(id);
    await lab.pass(22);
    lab.isAnswering = false;
    await lab.pass(120);
    expect(row(id)).toMatchObject({ desired: 'running', warnedAt: '', stopsAt: '' });
    lab.isAnswering = true;
    await lab.pass(5);
    expect(row(id).desired).toBe('running');
    expect(lab.told(id)).toEqual(['idleSoon', 'idleSoon']);
    await lab.pass(8);
    expect(row(id).desired).toBe('stopped');
  });

  it('is warned again where the warning was of another time without use', async () => {
    const { id } = await lab.create({ idleMinutes: 30 });
    await lab.run(id);
    await lab.pass(22);
    expect(lab.told(id)).toEqual(['idleSoon']);
    // The console is away for two hours, and somebody worked in the first of them.
    lab.quiet.set(id, 3600);
    await lab.jump(120);
    expect([row(id).desired, lab.told(id)]).toEqual(['running', ['idleSoon', 'idleSoon']]);
    await lab.pass(9);
    expect(row(id).desired).toBe('running');
    await lab.pass(2);
    expect(row(id).desired).toBe('stopped');
  });

  it('is looked at rarely while nobody can tell, and written once then', async () => {
    const { id } = await lab.create({ idleMinutes: 30 });
    await lab.run(id);
    lab.isAnswering = false;
    const writes = vi.spyOn(WriteTransaction.prototype, 'observe');
    await lab.jump(10);
    expect(row(id).lookAt).toBe(wire(10));
    expect(writes.mock.calls.filter(([, written]) => written === id)).toHaveLength(1);
    writes.mockRestore();
  });

  it('is not stopped by what its host knows only since its agent began anew', async () => {
    const { id } = await lab.create({ idleMinutes: 30 });
    await lab.run(id);
    await lab.pass(19);
    lab.quiet.set(id, 0);
    await lab.pass(15);
    expect([row(id).desired, lab.told(id)]).toEqual(['running', []]);
  });

  it('counts from its start, however long it lay there before', async () => {
    const { id } = await lab.create({ idleMinutes: 30 });
    await lab.run(id);
    lab.quiet.set(id, 50_000);
    await lab.pass(15);
    expect([row(id).desired, lab.told(id)]).toEqual(['running', []]);
  });

  it('is held off for as long as it is kept', async () => {
    const { id } = await lab.create({ idleMinutes: 30 });
    await lab.run(id);
    await lab.pass(22);
    expect(await keep(id, iso(60))).toMatchObject({ status: 200, json: { keptUntil: wire(60) } });
    expect(row(id)).toMatchObject({ warnedAt: '', stopsAt: '' });
    await lab.pass(59);
    expect([row(id).desired, lab.told(id)]).toEqual(['running', ['idleSoon']]);
    await lab.pass(14);
    expect(row(id).desired).toBe('stopped');
    expect(audited(id, 'workspace.keep')).toMatchObject([{ user: lab.owner.id }]);
  });
});

describe('a schedule', () => {
  const workdays = [1, 2, 3, 4, 5];
  const schedule = {
    timeZone: 'Europe/Budapest',
    start: { at: '08:00', weekdays: workdays },
    stop: { at: '18:00', weekdays: workdays },
  };

  it('says what comes next, and does it', async () => {
    lab.set('2026-03-27T16:00:00Z');
    const { id } = await lab.create({ schedule });
    expect(row(id)).toMatchObject({ nextStopAt: '2026-03-27 17:00:00.000Z', nextStartAt: '2026-03-30 06:00:00.000Z' });
    await lab.run(id);
    await lab.jump(59);
    expect(row(id).desired).toBe('running');
    await lab.jump(1);
    expect(row(id)).toMatchObject({ desired: 'stopped', nextStopAt: '2026-03-30 16:00:00.000Z' });
    expect(lab.history(id).at(-1)!.steps![0]!.message).toBe('Stopped by its schedule.');
    await lab.observe(id, 'stopped');
    lab.set('2026-03-30T06:00:01Z');
    await sweepTimes();
    expect(row(id)).toMatchObject({ desired: 'running', nextStartAt: '2026-03-31 06:00:00.000Z' });
    expect(audited(id, 'workspace.start').at(-1)).toMatchObject({ via: 'console', details: { by: 'schedule' } });
    expect(lab.told(id)).toEqual([]);
  });

  it.each(['error', 'stopped'] as const)('starts what was to run and is %s', async (status) => {
    lab.set('2026-03-02T16:00:00Z');
    const { id } = await lab.create({ schedule: { ...schedule, stop: null } });
    await lab.run(id);
    await write((tx) => tx.patch(workspaces, id, { status }));
    lab.set('2026-03-03T07:00:00Z');
    await sweepTimes();
    expect(row(id)).toMatchObject({ desired: 'running', nextStartAt: '2026-03-04 07:00:00.000Z' });
    expect(row(id).status).not.toBe(status);
    expect(lab.history(id)).toHaveLength(2);
  });

  it('waits a while for room in the quota of its owner, and then says so', async () => {
    lab.set('2026-03-02T16:00:00Z');
    const other = await lab.create({ cpuLimit: 1 });
    const { id } = await lab.create({ cpuLimit: 1, schedule: { ...schedule, stop: null } });
    await lab.run(other.id);
    await allow({ cpus: 1 });
    lab.set('2026-03-03T07:00:00Z');
    await sweepTimes();
    expect(row(id)).toMatchObject({ desired: 'stopped', nextStartAt: '2026-03-03 07:01:00.000Z' });
    await lab.pass(14);
    expect([row(id).desired, lab.told(id)]).toEqual(['stopped', []]);
    await lab.pass(1);
    expect(row(id).nextStartAt).toBe('2026-03-04 07:00:00.000Z');
    expect(lab.notices(id)).toMatchObject([{ kind: 'startFailed', details: { at: '2026-03-03 07:00:00.000Z' } }]);
    lab.set('2026-03-04T07:00:00Z');
    await sweepTimes();
    await api('POST', `/api/workspace/${other.id}/request`, { as: lab.owner, body: { action: 'stop' } });
    await lab.observe(other.id, 'stopped');
    await lab.pass(1);
    expect(row(id)).toMatchObject({ desired: 'running', nextStartAt: '2026-03-05 07:00:00.000Z' });
    expect(lab.told(id)).toEqual(['startFailed']);
  });

  it('stops rather than starts what found no room until its stop', async () => {
    lab.set('2026-03-02T16:00:00Z');
    const short = { ...schedule, stop: { at: '08:05', weekdays: workdays } };
    const { id } = await lab.create({ cpuLimit: 1, schedule: short });
    await allow({ cpus: 0 });
    lab.set('2026-03-03T07:00:00Z');
    await sweepTimes();
    await lab.pass(4);
    await allow(undefined);
    await lab.pass(1);
    expect(row(id)).toMatchObject({ desired: 'stopped', nextStartAt: '2026-03-04 07:00:00.000Z' });
    expect(lab.told(id)).toEqual([]);
  });

  it('makes up what was missed, and says how late it was', async () => {
    lab.set('2026-03-02T16:00:00Z');
    const { id } = await lab.create({ schedule });
    await lab.run(id);
    lab.set('2026-03-02T20:00:00Z');
    await sweepTimes();
    expect(row(id).desired).toBe('stopped');
    expect(lab.history(id).at(-1)!.steps![0]!.message).toBe('Stopped by its schedule, 180 minutes late.');
    await lab.observe(id, 'stopped');
    // Long after both the start and the stop of a day the later one counts: there is nothing to do.
    lab.set('2026-03-03T20:00:00Z');
    await sweepTimes();
    expect(row(id)).toMatchObject({ desired: 'stopped', nextStartAt: '2026-03-04 07:00:00.000Z' });
    lab.set('2026-03-04T08:30:00Z');
    await sweepTimes();
    expect(row(id).desired).toBe('running');
  });

  it('tells of a start that was missed for too long', async () => {
    lab.set('2026-03-02T16:00:00Z');
    const { id } = await lab.create({ schedule: { ...schedule, stop: null } });
    lab.set('2026-03-03T12:00:00Z');
    await sweepTimes();
    expect(row(id)).toMatchObject({ desired: 'stopped', nextStartAt: '2026-03-04 07:00:00.000Z' });
    expect(lab.notices(id)).toMatchObject([{ kind: 'startMissed', details: { at: '2026-03-03 07:00:00.000Z' } }]);
  });

  it('starts with the rights that its owner has then, and tells why not', async () => {
    lab.set('2026-03-02T16:00:00Z');
    const { id } = await lab.create({ schedule: { ...schedule, stop: null } });
    const [grant] = new StoreReader().find(hostPermissions, { user: lab.owner.id });
    await write((tx) => tx.patch(hostPermissions, grant!.id, { canCreateWorkspaces: false }));
    lab.set('2026-03-03T07:00:00Z');
    await sweepTimes();
    expect(row(id)).toMatchObject({ desired: 'stopped', nextStartAt: '2026-03-04 07:00:00.000Z' });
    const reason = 'You do not have permission to create workspaces on this host.';
    expect(lab.notices(id)).toMatchObject([{ kind: 'startFailed', details: { reason } }]);
    expect(audited(id, 'workspace.start')).toMatchObject([{ outcome: 'failure', via: 'console' }]);
    await write((tx) => tx.patch(hostPermissions, grant!.id, { canCreateWorkspaces: true }));
    await lab.disableOwner();
    lab.set('2026-03-04T07:00:00Z');
    await sweepTimes();
    expect(row(id).desired).toBe('stopped');
    await lab.disableOwner(true);
    lab.set('2026-03-05T07:00:00Z');
    await sweepTimes();
    expect(row(id).desired).toBe('running');
  });

  it('holds its stop off until the end of the time for which it is kept', async () => {
    lab.set('2026-03-02T16:00:00Z');
    const { id } = await lab.create({ schedule });
    await lab.run(id);
    await keep(id, '2026-03-02T19:00:00Z');
    lab.set('2026-03-02T18:59:00Z');
    await sweepTimes();
    expect(row(id).desired).toBe('running');
    lab.set('2026-03-02T19:00:00Z');
    await sweepTimes();
    expect(row(id)).toMatchObject({ desired: 'stopped', nextStopAt: '2026-03-03 17:00:00.000Z' });
    expect(lab.history(id).at(-1)!.steps![0]!.message).toBe('Stopped by its schedule.');
  });

  it('leaves what is disabled, and a template, alone', async () => {
    lab.set('2026-03-02T16:00:00Z');
    const template = await lab.create({ schedule, template: true, idleMinutes: 30, deleteAfterDays: 1 });
    expect(template).toMatchObject({ nextTimeAt: '', nextStartAt: '', deletesAt: '', schedule });
    const { id } = await lab.create({ schedule, enabled: false });
    lab.set('2026-03-03T07:00:00Z');
    await sweepTimes();
    expect([row(id).desired, lab.told(id)]).toEqual(['stopped', []]);
  });
});

describe('a workspace that was stopped for long', () => {
  const days = (count: number) => count * 24 * 60;

  it('is announced twice, and then deleted', async () => {
    const { id } = await lab.create({ deleteAfterDays: 7 });
    expect(row(id).deletesAt).toBe(wire(days(7)));
    await lab.jump(days(4) - 1);
    expect(lab.told(id)).toEqual([]);
    await lab.jump(1);
    await lab.jump(days(2));
    expect(lab.notices(id).map(({ kind, details }) => [kind, details!.days])).toEqual([
      ['deleteSoon', 7],
      ['deleteSoon', 7],
    ]);
    await lab.jump(days(1) - 1);
    expect(readWorkspace(id)).toBeDefined();
    await lab.jump(1);
    expect(readWorkspace(id)).toBeUndefined();
    expect(lab.told(id)).toEqual(['deleteSoon', 'deleteSoon', 'deleted']);
    expect(audited(id, 'workspace.delete')).toMatchObject([
      { via: 'console', details: { by: 'deleteAfter', days: 7 } },
    ]);
  });

  it('is never deleted without a day’s notice, however long the console was down', async () => {
    const { id } = await lab.create({ deleteAfterDays: 7 });
    await lab.jump(days(30));
    expect(lab.told(id)).toEqual(['deleteSoon']);
    expect(row(id).deletesAt).toBe(wire(days(1)));
    await lab.jump(days(1) - 1);
    expect(readWorkspace(id)).toBeDefined();
    await lab.jump(1);
    expect(readWorkspace(id)).toBeUndefined();
  });

  it.each([
    [7, 24],
    [1, 6],
  ])('of %i days is announced anew where its deletion is long over', async (count, hours) => {
    const { id } = await lab.create({ deleteAfterDays: count });
    await lab.jump(days(count) - hours * 60);
    expect(lab.told(id)).toEqual(['deleteSoon']);
    await lab.jump(hours * 60 + 61);
    expect(lab.told(id)).toEqual(['deleteSoon', 'deleteSoon']);
    expect(row(id)).toMatchObject({ deletesAt: wire(hours * 60), nextTimeAt: wire(hours * 60) });
    await lab.jump(hours * 60 - 1);
    expect(readWorkspace(id)).toBeDefined();
    await lab.jump(30);
    expect(readWorkspace(id)).toBeUndefined();
  });

  it('has its days again after a start, and more of them while it is kept', async () => {
    const { id } = await lab.create({ deleteAfterDays: 2 });
    await lab.jump(days(1));
    expect(lab.told(id)).toEqual(['deleteSoon']);
    await lab.run(id);
    expect(row(id)).toMatchObject({ deletesAt: '', deleteFrom: '' });
    await lab.jump(days(20));
    await api('POST', `/api/workspace/${id}/request`, { as: lab.owner, body: { action: 'stop' } });
    await lab.observe(id, 'stopped');
    expect(row(id).deletesAt).toBe(wire(days(2)));
    expect((await keep(id, iso(days(6)))).status).toBe(200);
    expect(row(id).deletesAt).toBe(wire(days(6)));
    await lab.jump(days(5) - 1);
    expect(lab.told(id)).toEqual(['deleteSoon']);
    await lab.jump(1);
    expect(lab.told(id)).toEqual(['deleteSoon', 'deleteSoon']);
  });

  it('counts from when it was set, not from long before', async () => {
    const { id } = await lab.create();
    await lab.jump(days(100));
    const change = { deleteAfterDays: 3 };
    await api('PATCH', `/api/collections/workspaces/records/${id}`, { as: lab.owner, body: change });
    expect(row(id).deletesAt).toBe(wire(days(3)));
  });
});
