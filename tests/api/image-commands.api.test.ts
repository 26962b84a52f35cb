import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeDb } from '@/db/database';
import { agentRoutes } from '@/lib/hosts/link/agent-routes';
import { builds } from '@/lib/images/builds';
import { jobRoutes } from '@/lib/images/job-routes';
import type { HostRow } from '@/lib/hosts/collection';
import { images, type ImageRow } from '@/lib/images/collection';
import { requestImage } from '@/lib/images/request-image';
import { requestWorkspace } from '@/lib/workspaces/request-workspace';
import { openBuildLog } from '@/lib/images/read-build-log';
import type { ImageAction } from '@/lib/vocabulary/image-status';
import { limits } from '@/lib/vocabulary/limits';
import type { AppError } from '@/lib/errors';
import type { DesiredAnswer, JobEvent } from '@/lib/protocol/calls';
import { StoreReader } from '@/lib/records/transaction';
import { updateRecord } from '@/lib/records/writer';
import {
  createHost,
  createImage,
  createTenant,
  createUser,
  createWorkspace,
  readImage,
  readWorkspace,
  type UserActor,
} from './factories';
import { createCaller } from './kernel-caller';
import { grantTo } from '../setup/world';
import { makeJobEvent, type ScriptedAgent } from './scripted-agent';

const call = createCaller([...agentRoutes, ...jobRoutes]);
let agent: ScriptedAgent;
let host: HostRow;
let owner: UserActor;
let image: ImageRow;

const ask = (action: ImageAction, actor = owner) => requestImage(actor, { imageId: image.id, action });
const start = (workspaceId: string) => requestWorkspace(owner, { workspaceId, action: 'start' });
const problem = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error as AppError,
  );
const newestBuild = () =>
  new StoreReader().find(builds, { image: image.id }, { orderBy: 'number', descending: true })[0]!;
const tell = (overrides: Partial<JobEvent>, id = newestBuild().id) =>
  agent.report({ jobs: [makeJobEvent({ id, ...overrides })] });
/** The jobs that the host is asked for; of those that are over it may still be told that they are to go. */
const jobsOf = async () =>
  ((await agent.desired()).json as DesiredAnswer).objects.filter(({ kind, spec }) => kind === 'job' && spec !== null);

beforeAll(async () => {
  ({ agent, host } = await createHost(call));
  owner = await createTenant(host);
});
afterAll(() => closeDb());

const freshImage = async (overrides: Partial<ImageRow> = {}) => {
  const unbuilt = { status: '', imageId: '', buildNumber: 0 };
  image = await createImage({ build_on: host.id, created_by: owner.id, ...unbuilt, ...overrides });
};

describe('building', () => {
  it('goes from pending over building to finished, and asks for the job no more', async () => {
    await freshImage();
    expect(await ask('build')).toEqual({ id: image.id, status: 'build_pending', buildNumber: 1 });
    expect(await jobsOf()).toMatchObject([
      {
        id: newestBuild().id,
        spec: { job: 'build', reference: `berth/${image.id}:1`, bases: [{ from: 'ubuntu:24.04', local: false }] },
      },
    ]);
    await tell({ status: 'pending', queuePlace: 2 });
    expect(newestBuild()).toMatchObject({ status: 'build_pending', queuePlace: 2 });
    await tell({ status: 'running' });
    expect(readImage(image.id)!.status).toBe('building');
    const exposedPorts = [{ containerPort: 8888, protocol: 'tcp' as const }];
    await tell({ status: 'done', imageId: 'sha256:new', digest: 'sha256:d', sizeBytes: 42, exposedPorts });
    const done = { status: 'build_finished', imageId: 'sha256:new', sizeBytes: 42, exposedPorts };
    expect(readImage(image.id)).toMatchObject(done);
    expect(newestBuild()).toMatchObject({ status: 'build_finished', digest: 'sha256:d' });
    expect(await jobsOf()).toEqual([]);
    await tell({ status: 'error' });
    expect(newestBuild().status).toBe('build_finished');
    expect(readImage(image.id)!.status).toBe('build_finished');
  });

  it('builds no template', async () => {
    await freshImage({ template: true });
    const message = "Can't build an image that is a template. Possible now: useTemplate, disable, delete.";
    expect((await problem(ask('build')))?.fields).toEqual({ action: { code: 'validation_illegal_action', message } });
    expect(new StoreReader().find(builds, { image: image.id })).toEqual([]);
  });

  it('makes an image as its template says, for whom the host lets', async () => {
    const dockerfile = 'FROM scratch\nLABEL a=b\n';
    await freshImage({ template: true, name: 'tools', creationType: 'writeDockerfile', dockerfile });
    const made = readImage((await ask('useTemplate')).id)!;
    expect(made).toMatchObject({ name: 'tools-2', template: false, dockerfile, created_by: owner.id, buildNumber: 0 });
    expect(readImage((await ask('useTemplate')).id)!.name).toBe('tools-3');
    expect((await problem(ask('useTemplate', await createUser())))?.code).toBe('not_found');
    const guest = await createUser();
    await grantTo(guest, 'image', { on: image, flags: ['view'] });
    expect((await problem(ask('useTemplate', guest)))?.fields).toHaveProperty('build_on');
    await ask('disable');
    const message = "Can't useTemplate an image that is disabled. Possible now: enable, delete.";
    expect((await problem(ask('useTemplate')))?.fields).toMatchObject({ action: { message } });
    await freshImage();
    expect((await problem(ask('useTemplate')))?.fields).toMatchObject({
      action: { message: expect.stringContaining('that is no template. Possible now: build, disable') as string },
    });
  });

  it('refuses a second build under way and a build by whom may only look', async () => {
    await freshImage();
    await ask('build');
    const message = "Can't build an image that is build pending. Possible now: cancelBuild, disable, delete.";
    expect((await problem(ask('build')))?.fields).toEqual({ action: { code: 'validation_illegal_action', message } });
    expect((await problem(ask('cancelBuild', await createUser())))?.code).toBe('not_found');
  });

  it('cancels when the host has stopped it', async () => {
    await ask('cancelBuild');
    expect(await jobsOf()).toMatchObject([{ spec: { cancel: true } }]);
    expect(readImage(image.id)!.status).toBe('build_pending');
    await tell({ status: 'cancelled' });
    expect(readImage(image.id)!.status).toBe('build_cancelled');
  });

  it('pulls an image that exists elsewhere', async () => {
    await freshImage({ creationType: 'pullAnImage', dockerImageName: 'redis:7' });
    await ask('build');
    expect(newestBuild().kind).toBe('pull');
    expect((await jobsOf()).at(-1)).toMatchObject({
      spec: { job: 'pull', reference: 'redis:7', tag: `berth/${image.id}:1`, timeoutMs: 1_800_000 },
    });
  });
});

describe('workspaces that wait for a build', () => {
  it('are deployed in the transaction that finishes it', async () => {
    await freshImage();
    const workspace = await createWorkspace({ host: host.id, image: image.id, created_by: owner.id });
    expect(await start(workspace.id)).toMatchObject({ status: 'build_pending', generation: 1 });
    expect(newestBuild().number).toBe(1);
    await tell({ status: 'running' });
    expect(readWorkspace(workspace.id)).toMatchObject({
      status: 'building',
      statusMessage: `Image ${image.name} is being built`,
    });
    await tell({ status: 'done', imageId: 'sha256:w' });
    expect(readWorkspace(workspace.id)).toMatchObject({ status: 'deployment_pending', desired: 'running' });
    const { objects } = (await agent.desired()).json as DesiredAnswer;
    expect(objects.find(({ id }) => id === workspace.id)).toMatchObject({
      spec: { generation: 1, attempt: 0, image: { id: 'sha256:w' } },
    });
  });

  it('say so when it fails', async () => {
    await freshImage();
    const workspace = await createWorkspace({ host: host.id, image: image.id, created_by: owner.id });
    await start(workspace.id);
    await tell({ status: 'error', message: 'no space left' });
    expect(readWorkspace(workspace.id)).toMatchObject({
      status: 'error',
      statusMessage: `Image ${image.name} failed to build`,
    });
    expect((await problem(start(workspace.id)))?.fields).toMatchObject({
      image: { code: 'validation_image_not_built' },
    });
  });

  it('run the last good build when a newer one failed', async () => {
    await freshImage({ status: 'error', imageId: 'sha256:good', buildNumber: 2 });
    const workspace = await createWorkspace({ host: host.id, image: image.id, created_by: owner.id });
    expect(await start(workspace.id)).toMatchObject({ status: 'deployment_pending' });
  });
});

describe('deleting', () => {
  it('is refused while a workspace uses the image', async () => {
    await freshImage({ status: 'build_finished', imageId: 'sha256:x', buildNumber: 1 });
    const workspace = await createWorkspace({
      host: host.id,
      image: image.id,
      created_by: owner.id,
      name: 'user-of-it',
    });
    expect((await problem(ask('delete')))?.message).toContain('Used by the workspace user-of-it');
    expect(readImage(image.id)).toBeDefined();
    await requestWorkspace(owner, { workspaceId: workspace.id, action: 'delete' });
    await ask('delete');
    expect(readImage(image.id)).toBeUndefined();
    const job = (await jobsOf()).at(-1)!;
    expect(job).toMatchObject({ spec: { job: 'remove-image', engineImageId: 'sha256:x' } });
    await tell({ status: 'done' }, job.id);
    expect((await jobsOf()).map(({ id }) => id)).not.toContain(job.id);
  });
});

describe('build logs', () => {
  const read = async (signal = new AbortController().signal, after = 0) => {
    const log = openBuildLog(owner, { imageId: image.id, number: undefined, after, follow: true }, signal);
    const texts: string[] = [];
    let next = await log.chunks.next();
    for (; !next.done; next = await log.chunks.next()) texts.push(next.value.text);
    return { texts, status: next.value };
  };

  it('takes each chunk once, in any order, and is followed live to its end', async () => {
    await freshImage();
    await ask('build');
    const { id } = newestBuild();
    const following = read();
    expect((await agent.jobLog(id, [{ sequence: 2, text: 'two' }])).json).toEqual({ acknowledged: 0 });
    expect((await agent.jobLog(id, [{ sequence: 1, text: 'one' }])).json).toEqual({ acknowledged: 2 });
    expect((await agent.jobLog(id, [{ sequence: 2, text: 'again' }])).json).toEqual({ acknowledged: 2 });
    await agent.jobLog(id, [{ sequence: 3, text: 'three' }]);
    await tell({ status: 'done' });
    expect(await following).toEqual({ texts: ['one', 'two', 'three'], status: 'build_finished' });
    expect((await read(undefined, 2)).texts).toEqual(['three']);
  });

  it("refuses another host's chunks", async () => {
    const { agent: other } = await createHost(call);
    expect((await other.jobLog(newestBuild().id, [{ sequence: 4, text: 'x' }])).status).toBe(404);
  });

  it('is cut at its limit with a note', async () => {
    await freshImage();
    await ask('build');
    const { id } = newestBuild();
    const text = 'x'.repeat(65_536);
    const count = limits.buildLogBytes / text.length + 10;
    for (let first = 1; first <= count; first += 40) {
      const chunks = Array.from({ length: 40 }, (_, index) => ({ sequence: first + index, text }));
      await agent.jobLog(id, chunks);
    }
    await tell({ status: 'done' });
    const { texts } = await read();
    expect(texts.join('').length).toBeLessThan(limits.buildLogBytes + 200);
    expect(texts.at(-1)).toContain('The rest is left out');
  });

  it('ends when the reader goes', async () => {
    await freshImage();
    await ask('build');
    const controller = new AbortController();
    const reading = read(controller.signal);
    controller.abort();
    expect((await reading).texts).toEqual([]);
  });
});

it('stays on its host once it was built there', async () => {
  const { host: other } = await createHost(call);
  const admin = await createUser({ isAdmin: true });
  const move = () => updateRecord(images, admin, { id: image.id, body: { build_on: other.id } });
  await freshImage({ buildNumber: 1 });
  expect((await problem(move()))?.fields).toMatchObject({ build_on: { code: 'validation_in_invalid' } });
  await freshImage();
  await move();
  expect(readImage(image.id)!.build_on).toBe(other.id);
});
