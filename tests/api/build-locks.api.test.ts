import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeDb } from '@/db/database';
import type { AppError } from '@/lib/errors';
import { agentRoutes } from '@/lib/hosts/link/agent-routes';
import { type HostRow } from '@/lib/hosts/collection';
import { newId } from '@/lib/ids';
import { builds } from '@/lib/images/builds';
import { type ImageRow, images } from '@/lib/images/collection';
import { jobRoutes } from '@/lib/images/job-routes';
import { readLock } from '@/lib/images/locks/kept-locks';
import { lockOfBuild } from '@/lib/images/locks/lock-of-build';
import { imagePermissions } from '@/lib/images/permissions';
import { requestImage } from '@/lib/images/request-image';
import type { DesiredAnswer } from '@/lib/protocol/calls';
import type { JobSpec } from '@/lib/protocol/specs/job';
import { StoreReader, write } from '@/lib/records/transaction';
import { createRecord, updateRecord } from '@/lib/records/writer';
import { createHost, createTenant, type UserActor } from './factories';
import { createCaller } from './kernel-caller';
import { makeJobEvent, type ScriptedAgent } from './scripted-agent';

const call = createCaller([...agentRoutes, ...jobRoutes]);
let agent: ScriptedAgent;
let host: HostRow;
let mara: UserActor;

type BuildSpec = Extract<JobSpec, { job: 'build' }>;

const ID = `sha256:${'a'.repeat(64)}`;
const DIGEST = `sha256:${'d'.repeat(64)}`;
const TEXT = 'berth-lock 1\npython 3.12.3\npypi demo 1.4.2\npypi demo-part 1.1\n';
const told = (text = TEXT, problem = '') => ({ name: 'main', text, problem });
const base = { from: 'ubuntu:24.04', imageId: ID, digest: DIGEST };
const pypi = { manager: 'pypi', name: 'demo', version: { constraint: 'minimum', specifier: '1' } };

beforeAll(async () => {
  ({ agent, host } = await createHost(call));
  mara = await createTenant(host);
});
afterAll(() => closeDb());

const problem = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error as AppError,
  );
const make = async (body: object = {}) => {
  const environments = [{ name: 'main', packages: [pypi] }];
  const input = { body: { name: newId(), build_on: host.id, environments, ...body } };
  return (await createRecord(images, mara, input)) as ImageRow;
};
const newestOf = ({ id }: { id: string }) =>
  new StoreReader().find(builds, { image: id }, { orderBy: 'number', descending: true, limit: 1 })[0]!;
const hand = (id: string, lock: object, by = agent) => by.send('POST', `/api/agent/jobs/${id}/lock`, lock);
const finish = (id: string) => agent.report({ jobs: [makeJobEvent({ id, imageId: `sha256:${id}` })] });
async function specOf(id: string): Promise<BuildSpec> {
  const { objects } = (await agent.desired()).json as DesiredAnswer;
  return objects.find((object) => object.id === id)?.spec as BuildSpec;
}
async function built(image: ImageRow, lock: object = { bases: [base], environments: [told()] }): Promise<string> {
  await requestImage(mara, { imageId: image.id, action: 'build' });
  const { id } = newestOf(image);
  await hand(id, lock);
  await finish(id);
  return id;
}
async function grant(image: ImageRow, flags: object): Promise<UserActor> {
  const user = await createTenant(host);
  await write((tx) => tx.insert(imagePermissions, { user: user.id, image: image.id, ...flags }));
  return user;
}

describe('the lock of a build', () => {
  it('is kept once the build is good, and goes with its image', async () => {
    const image = await make();
    await requestImage(mara, { imageId: image.id, action: 'build' });
    const { id } = newestOf(image);
    expect((await specOf(id)).lock).toEqual([{ environment: 'main', path: '/opt/berth/environments/main/berth-lock' }]);
    expect((await hand(id, { bases: [base], environments: [told()] })).status).toBe(200);
    expect(() => lockOfBuild(mara, id)).toThrow(/wasn't found/);
    await finish(id);
    const { number, lock } = lockOfBuild(mara, id);
    expect(number).toBe(1);
    expect(lock.bases).toEqual([{ name: 'ubuntu:24.04', imageId: ID, digest: DIGEST }]);
    expect(lock.environments).toMatchObject([{ name: 'main', python: '3.12.3', problem: '' }]);
    expect(newestOf(image)).toMatchObject({ hasLock: true, lockOf: 0 });
    await requestImage(mara, { imageId: image.id, action: 'delete' });
    expect(readLock(id)).toBeUndefined();
  });

  it('is taken of the host that builds it alone, and while it builds', async () => {
    const image = await make();
    const { agent: eve } = await createHost(call);
    await requestImage(mara, { imageId: image.id, action: 'build' });
    const { id } = newestOf(image);
    const lock = { bases: [base], environments: [told()] };
    expect((await hand(id, lock, eve)).status).toBe(404);
    expect(readLock(id)).toBeUndefined();
    await hand(id, lock);
    await finish(id);
    const other = { bases: [], environments: [told('berth-lock 1\npypi evil 6.6.6\n')] };
    expect((await hand(id, other)).status).toBe(404);
    expect(lockOfBuild(mara, id).lock.environments[0]!.packages).toHaveLength(2);
  });

  it('holds nothing that was not asked for, and no text that is no lock', async () => {
    const image = await make();
    const strangers = { ...told(), name: 'x RUN evil' };
    const bases = [{ ...base, from: 'evil:1' }, { ...base, imageId: 'x\nRUN evil' }, base];
    const id = await built(image, { bases, environments: [strangers, told('berth-lock 1\npypi a 1\u001b[2J\n')] });
    const { lock } = lockOfBuild(mara, id);
    expect(lock.bases.map(({ name }) => name)).toEqual(['ubuntu:24.04']);
    expect(lock.environments).toEqual([
      { name: 'main', python: '', packages: [], problem: 'Its line 2 can not be read.' },
    ]);
    const refused = await problem(requestImage(mara, { imageId: image.id, action: 'build', lockOf: 1 }));
    expect(refused?.fields).toMatchObject({
      lockOf: { message: 'Nobody knows what environment main of build 1 has. Its line 2 can not be read.' },
    });
  });

  it('too large for the console is refused, and the build goes on', async () => {
    const image = await make();
    await requestImage(mara, { imageId: image.id, action: 'build' });
    const { id } = newestOf(image);
    const huge = { bases: [], environments: [told('x'.repeat(9 * 1024 * 1024))] };
    expect((await hand(id, huge)).status).toBe(413);
    await finish(id);
    expect(newestOf(image)).toMatchObject({ status: 'build_finished', hasLock: false });
  });

  it('tells the digest that an earlier build of the host has heard of', async () => {
    const imageId = `sha256:${'b'.repeat(64)}`;
    await built(await make(), { bases: [{ ...base, imageId }], environments: [told()] });
    const id = await built(await make(), { bases: [{ ...base, imageId, digest: '' }], environments: [told()] });
    expect(lockOfBuild(mara, id).lock.bases).toEqual([{ name: 'ubuntu:24.04', imageId, digest: DIGEST }]);
  });
});

describe('a build from a lock', () => {
  it('asks for the very same: base, environments and versions, whatever the lists are now', async () => {
    const image = await make();
    await built(image);
    const environments = [{ name: 'new', packages: [pypi] }];
    await updateRecord(images, mara, { id: image.id, body: { environments, baseImage: 'debian:12' } });
    await requestImage(mara, { imageId: image.id, action: 'build', lockOf: 1 });
    const { id, lockOf, number } = newestOf(image);
    expect([number, lockOf]).toEqual([2, 1]);
    const spec = await specOf(id);
    expect(spec.bases).toEqual([
      expect.objectContaining({ from: 'ubuntu:24.04', pin: { imageId: ID, digest: DIGEST } }),
    ]);
    // An agent that knows no pins reads `id` as text, and refuses.
    expect(spec.bases![0]).not.toHaveProperty('id');
    const texts = Object.fromEntries(
      (spec.context ?? []).flatMap((file) => (file.from === 'text' ? [[file.path, file.text]] : [])),
    );
    expect(texts['.berth/environments/main.txt']).toBe('demo==1.4.2\ndemo-part==1.1\n');
    expect(texts['.berth/environments/main.lock']).toBe(TEXT);
    expect(spec.dockerfile).toContain('--no-deps');
    expect(spec.dockerfile).not.toContain('environments/new');
  });

  it('is refused at the command whose environment the lock does not have', async () => {
    const image = await make();
    await built(image);
    const body = {
      environments: [{ name: 'new', packages: [pypi] }],
      startupCommands: [{ command: 'x', environment: 'new' }],
    };
    await updateRecord(images, mara, { id: image.id, body });
    const refused = await problem(requestImage(mara, { imageId: image.id, action: 'build', lockOf: 1 }));
    expect(refused?.fields).toMatchObject({ startupCommands: { 0: { environment: {} } } });
    expect(newestOf(image).number).toBe(1);
  });

  it('needs the right to build; who only sees the image reads the lock, who does not finds nothing', async () => {
    const image = await make();
    const id = await built(image);
    const viewer = await grant(image, { view: true });
    const stranger = await createTenant(host);
    expect(lockOfBuild(viewer, id).number).toBe(1);
    expect(() => lockOfBuild(stranger, id)).toThrow(/wasn't found/);
    const ask = { imageId: image.id, action: 'build', lockOf: 1 } as const;
    expect((await problem(requestImage(viewer, ask)))?.code).toBe('forbidden');
    expect((await problem(requestImage(stranger, ask)))?.code).toBe('not_found');
    expect(newestOf(image).number).toBe(1);
  });

  it('may not use a base that its builder may not use any more', async () => {
    const own = await make();
    const baseImage = `berth/${own.id}:1`;
    const bases = [{ from: baseImage, imageId: ID, digest: '' }];
    const deploy = await grant(own, { view: true, deploy: true });
    await built(own);
    const body = { name: newId(), build_on: host.id, baseImage };
    const image = (await createRecord(images, deploy, { body })) as ImageRow;
    await requestImage(deploy, { imageId: image.id, action: 'build' });
    await hand(newestOf(image).id, { bases, environments: [] });
    await finish(newestOf(image).id);
    await write((tx) => {
      for (const { id } of tx.find(imagePermissions, { user: deploy.id })) tx.remove(imagePermissions, id);
    });
    const refused = await problem(requestImage(deploy, { imageId: image.id, action: 'build', lockOf: 1 }));
    expect(refused?.fields).toMatchObject({ baseImage: { code: 'validation_invalid_dockerfile' } });
  });
});
