import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeDb } from '@/db/database';
import type { AppError } from '@/lib/errors';
import { hostPermissions } from '@/lib/hosts/permissions';
import { type HostRow, hosts } from '@/lib/hosts/collection';
import { agentRoutes } from '@/lib/hosts/link/agent-routes';
import { cancelCheck, checkImage, checkSchema, requireCheck } from '@/lib/images/check/check-image';
import { listChecksOf, readCheck } from '@/lib/images/check/kept-checks';
import { jobRoutes } from '@/lib/images/job-routes';
import { readJobLog } from '@/lib/images/read-build-log';
import type { DesiredAnswer } from '@/lib/protocol/calls';
import type { JobSpec } from '@/lib/protocol/specs/job';
import { write } from '@/lib/records/transaction';
import { createHost, createTenant, createUser, type UserActor } from './factories';
import { createCaller } from './kernel-caller';
import { makeJobEvent, type ScriptedAgent } from './scripted-agent';

const call = createCaller([...agentRoutes, ...jobRoutes]);
let agent: ScriptedAgent;
let host: HostRow;

beforeAll(async () => {
  ({ agent, host } = await createHost(call));
});
afterAll(() => closeDb());

const environments = [{ name: 'main', packages: [{ manager: 'pypi', name: 'numpy' }] }];
const ask = (actor: UserActor, body: object = {}) =>
  checkImage(actor, checkSchema.parse({ build_on: host.id, environments, ...body }));
const problem = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error as AppError,
  );
async function specOf(id: string): Promise<Extract<JobSpec, { job: 'check' }> | undefined> {
  const { objects } = (await agent.desired()).json as DesiredAnswer;
  return objects.find((object) => object.id === id)?.spec as Extract<JobSpec, { job: 'check' }>;
}

describe('a check of environments', () => {
  it('is a job of the host, whose log and end its asker reads', async () => {
    const mara = await createTenant(host);
    const { id } = await ask(mara);
    expect(await specOf(id)).toMatchObject({ job: 'check', reference: `berth/${id}:1`, cancel: false });
    await agent.jobLog(id, [{ sequence: 1, text: 'Would install numpy-2.0\n' }]);
    const told = 'Environment main: demo==2.0 is asked for, but app 1.0 needs demo<2.';
    await agent.report({ jobs: [makeJobEvent({ id, status: 'error', message: told })] });
    const statusOf = () => readCheck(id)!.status;
    const log = readJobLog(id, { after: 0, follow: true, signal: AbortSignal.timeout(5000), statusOf });
    expect(await log.next()).toMatchObject({ value: { text: 'Would install numpy-2.0\n' } });
    expect(await log.next()).toEqual({ done: true, value: 'error' });
    expect(requireCheck(mara, id)).toMatchObject({ status: 'error', message: told });
    expect(await specOf(id)).toBeFalsy();
  });

  it('is nobody else’s to see or to stop', async () => {
    const [mara, eve] = [await createTenant(host), await createTenant(host)];
    const { id } = await ask(mara);
    expect(() => requireCheck(eve, id)).toThrow(/wasn't found/);
    expect(() => requireCheck({ kind: 'guest' }, id)).toThrow(/wasn't found/);
    expect((await problem(cancelCheck(eve, id)))?.code).toBe('not_found');
    expect((await specOf(id))?.cancel).toBe(false);
    await cancelCheck(mara, id);
    expect((await specOf(id))?.cancel).toBe(true);
  });

  it('is one at a time for each person', async () => {
    const mara = await createTenant(host);
    const { id } = await ask(mara);
    expect((await problem(ask(mara)))?.fields).toMatchObject({ build_on: { code: 'validation_too_many_checks' } });
    await agent.report({ jobs: [makeJobEvent({ id, status: 'cancelled' })] });
    await ask(mara);
    expect(
      listChecksOf(mara.id)
        .map(({ status }) => status)
        .sort(),
    ).toEqual(['build_cancelled', 'build_pending']);
  });

  it('needs the rights of building on the host', async () => {
    const stranger = await createUser();
    expect((await problem(ask(stranger)))?.fields).toMatchObject({ build_on: { message: 'There is no such host.' } });
    const viewer = await createUser();
    await write((tx) => tx.insert(hostPermissions, { user: viewer.id, host: host.id, view: true }));
    expect((await problem(ask(viewer)))?.fields).toMatchObject({ build_on: { code: 'validation_not_allowed' } });
    expect([...listChecksOf(stranger.id), ...listChecksOf(viewer.id)]).toEqual([]);
    const mara = await createTenant(host);
    await write((tx) => tx.patch(hosts, host.id, { enabled: false }));
    expect((await problem(ask(mara)))?.fields).toMatchObject({ build_on: { code: 'validation_disabled' } });
    await write((tx) => tx.patch(hosts, host.id, { enabled: true }));
  });

  it('may not stand on an image that its asker may not use, nor on lists with mistakes', async () => {
    const mara = await createTenant(host);
    const refused = await problem(ask(mara, { baseImage: 'berth/abcdefghijklmno:1' }));
    expect(refused?.fields).toMatchObject({ baseImage: { code: 'validation_invalid_dockerfile' } });
    const conda = { manager: 'conda', name: 'x', channel: 'nowhere' };
    const wrong = await problem(ask(mara, { environments: [{ name: 'main', packages: [conda] }] }));
    expect(wrong?.fields).toMatchObject({ environments: { 0: { packages: { 0: { channel: {} } } } } });
    expect(() => checkSchema.parse({ build_on: host.id, environments: [{ name: 'x; rm', packages: [] }] })).toThrow();
  });

  it('is not moved by another host', async () => {
    const mara = await createTenant(host);
    const { agent: eve } = await createHost(call);
    const { id } = await ask(mara);
    await eve.report({ jobs: [makeJobEvent({ id })] });
    expect((await eve.jobLog(id, [{ sequence: 1, text: 'x' }])).status).toBe(404);
    expect(readCheck(id)?.status).toBe('build_pending');
  });
});
