import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeDb } from '@/db/database';
import type { AppError } from '@/lib/errors';
import type { HostRow } from '@/lib/hosts/collection';
import { hostPermissions } from '@/lib/hosts/permissions';
import { agentRoutes } from '@/lib/hosts/link/agent-routes';
import { newId } from '@/lib/ids';
import { builds } from '@/lib/images/builds';
import { registerForgetting } from '@/lib/images/forget-old-builds';
import { type ImageRow, images } from '@/lib/images/collection';
import { imagePermissions } from '@/lib/images/permissions';
import { jobRoutes } from '@/lib/images/job-routes';
import { requestImage } from '@/lib/images/request-image';
import type { DesiredAnswer } from '@/lib/protocol/calls';
import type { JobSpec } from '@/lib/protocol/specs/job';
import { StoreReader, write } from '@/lib/records/transaction';
import { createRecord, updateRecord } from '@/lib/records/writer';
import { limits } from '@/lib/vocabulary/limits';
import { AS_USUAL } from '@/lib/vocabulary/redeploy';
import { findWorkspaceChanges } from '@/lib/workspaces/changes';
import { workspaces, type WorkspaceRow } from '@/lib/workspaces/collection';
import { workspacePermissions } from '@/lib/workspaces/permissions';
import { requestWorkspace } from '@/lib/workspaces/request-workspace';
import { createHost, createTenant, createWorkspace, type UserActor } from './factories';
import { createCaller } from './kernel-caller';
import { makeJobEvent, makeObserved, type ScriptedAgent } from './scripted-agent';

const call = createCaller([...agentRoutes, ...jobRoutes]);
let agent: ScriptedAgent;
let host: HostRow;
let mara: UserActor;

beforeAll(async () => {
  registerForgetting();
  ({ agent, host } = await createHost(call));
  mara = await createTenant(host);
});
afterAll(() => closeDb());

const digest = `sha256:${'a'.repeat(64)}`;
const engineIdOf = (image: { id: string }, number: number) => `sha256:${image.id}-${number}`;
const make = async () =>
  (await createRecord(images, mara, {
    body: { name: newId(), build_on: host.id, creationType: 'writeDockerfile', dockerfile: 'FROM x' },
  })) as ImageRow;
async function build(image: ImageRow, times = 1): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    const { buildNumber } = await requestImage(mara, { imageId: image.id, action: 'build' });
    const [row] = new StoreReader().find(builds, { image: image.id, number: buildNumber });
    await agent.report({ jobs: [makeJobEvent({ id: row!.id, imageId: engineIdOf(image, buildNumber) })] });
  }
}
const objects = async () => ((await agent.desired()).json as DesiredAnswer).objects;
async function imageAsked({ id }: { id: string }) {
  const found = (await objects()).find((object) => object.id === id);
  return found?.kind === 'workspace' ? found.spec?.image : undefined;
}
const redeploy = ({ id }: { id: string }, buildNumber?: number, actor = mara, pull = false) =>
  requestWorkspace(actor, { workspaceId: id, action: 'redeploy', options: { ...AS_USUAL, pull, build: buildNumber } });
const problem = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error as AppError,
  );
async function deployed(image: ImageRow): Promise<WorkspaceRow> {
  const workspace = await createWorkspace({ host: host.id, image: image.id, created_by: mara.id });
  await requestWorkspace(mara, { workspaceId: workspace.id, action: 'start' });
  await agent.report({ objects: [makeObserved({ id: workspace.id })] });
  return workspace;
}
const removals = async (image: ImageRow) =>
  (await objects()).flatMap(({ spec }) => {
    const job = spec as JobSpec | null;
    return job?.job === 'remove-image' && job.imageId === image.id ? [job.reference] : [];
  });

describe('a workspace that goes back to an earlier build', () => {
  it('runs it from then on, whatever is built later, until it is to run the newest again', async () => {
    const image = await make();
    await build(image, 2);
    const workspace = await deployed(image);
    expect(await imageAsked(workspace)).toMatchObject({ tag: `berth/${image.id}:2`, id: engineIdOf(image, 2) });
    await redeploy(workspace, 1);
    const first = { tag: `berth/${image.id}:1`, id: engineIdOf(image, 1) };
    expect(await imageAsked(workspace)).toMatchObject(first);
    expect(findWorkspaceChanges(mara, workspace.id).changed).toEqual([]);
    await build(image);
    await redeploy(workspace);
    expect(await imageAsked(workspace)).toMatchObject(first);
    await requestImage(mara, { imageId: image.id, action: 'build' });
    // It waits for no build: what it runs is there.
    expect((await redeploy(workspace)).status).toBe('deployment_pending');
    expect(await imageAsked(workspace)).toMatchObject(first);
    await redeploy(workspace, 0).catch(() => undefined);
    expect(new StoreReader().get(workspaces, workspace.id)?.imageBuild).toBe(0);
  });

  it('has the newest of another image', async () => {
    const [image, other] = [await make(), await make()];
    await build(image, 2);
    await build(other, 1);
    const workspace = await deployed(image);
    await redeploy(workspace, 1);
    await updateRecord(workspaces, mara, { id: workspace.id, body: { imageBuild: 2 } });
    expect(new StoreReader().get(workspaces, workspace.id)?.imageBuild).toBe(1);
    await updateRecord(workspaces, mara, { id: workspace.id, body: { image: other.id } });
    expect(new StoreReader().get(workspaces, workspace.id)?.imageBuild).toBe(0);
  });

  it('is refused a build that was none, that is gone, or of another act', async () => {
    const image = await make();
    await build(image, limits.buildsKeptOnHost + 2);
    const workspace = await deployed(image);
    const messageOf = async (work: Promise<unknown>) => (await problem(work))?.fields?.build;
    expect(await messageOf(redeploy(workspace, 99))).toMatchObject({
      message: `Image ${image.name} has no good build 99.`,
    });
    expect(await messageOf(redeploy(workspace, 1))).toMatchObject({
      message: `Build 1 of image ${image.name} is not on its host any more. Build it again with its versions.`,
    });
    const stop = { workspaceId: workspace.id, action: 'stop', options: { ...AS_USUAL, build: 2 } } as const;
    expect(await messageOf(requestWorkspace(mara, stop))).toMatchObject({ code: 'validation_only_redeploy' });
    expect(new StoreReader().get(workspaces, workspace.id)?.imageBuild).toBe(0);
  });

  it('pulls by its digest what a registry gave and the host let go of', async () => {
    const image = (await createRecord(images, mara, {
      body: {
        name: newId(),
        build_on: host.id,
        creationType: 'pullAnImage',
        dockerImageName: 'example.org/lab/tool:1',
      },
    })) as ImageRow;
    await build(image, limits.buildsKeptOnHost + 2);
    const workspace = await deployed(image);
    const [first] = new StoreReader().find(builds, { image: image.id, number: 1 });
    expect(first).toMatchObject({ isGone: true });
    expect((await problem(redeploy(workspace, 1)))?.fields?.build).toMatchObject({ code: 'validation_build_gone' });
    await write((tx) => tx.patch(builds, first!.id, { digest }));
    await redeploy(workspace, 1);
    const wanted = {
      reference: `example.org/lab/tool@${digest}`,
      tag: `berth/${image.id}:1`,
      id: engineIdOf(image, 1),
    };
    expect(await imageAsked(workspace)).toMatchObject({ ...wanted, pull: true });
    expect(findWorkspaceChanges(mara, workspace.id).changed).toEqual([]);
    await redeploy(workspace, 0);
    expect(await imageAsked(workspace)).toMatchObject({ reference: 'example.org/lab/tool:1' });
  });

  it('runs on another host what has a digest alone', async () => {
    const { host: other } = await createHost(call);
    await write((tx) =>
      tx.insert(hostPermissions, { user: mara.id, host: other.id, view: true, canCreateWorkspaces: true }),
    );
    const image = (await createRecord(images, mara, {
      body: {
        name: newId(),
        build_on: host.id,
        creationType: 'pullAnImage',
        dockerImageName: 'example.org/lab/tool:2',
      },
    })) as ImageRow;
    await build(image, 2);
    const workspace = await createWorkspace({ host: other.id, image: image.id, created_by: mara.id });
    expect((await problem(redeploy(workspace, 1)))?.fields?.build).toMatchObject({
      code: 'validation_build_elsewhere',
    });
    const [first] = new StoreReader().find(builds, { image: image.id, number: 1 });
    await write((tx) => tx.patch(builds, first!.id, { digest }));
    const { imageBuild } = await redeploy(workspace, 1).then(() => new StoreReader().get(workspaces, workspace.id)!);
    expect(imageBuild).toBe(1);
    await write((tx) => tx.patch(builds, first!.id, { digest: '' }));
    const start = { workspaceId: workspace.id, action: 'redeploy', options: AS_USUAL } as const;
    expect((await problem(requestWorkspace(mara, start)))?.fields?.build).toMatchObject({
      code: 'validation_build_elsewhere',
    });
  });

  it('is what it was, whatever the image is called by now', async () => {
    const pulled = {
      name: newId(),
      build_on: host.id,
      creationType: 'pullAnImage',
      dockerImageName: 'one.example/a:1',
    };
    const image = (await createRecord(images, mara, { body: pulled })) as ImageRow;
    await build(image);
    const [first] = new StoreReader().find(builds, { image: image.id, number: 1 });
    await write((tx) => tx.patch(builds, first!.id, { digest }));
    await updateRecord(images, mara, { id: image.id, body: { dockerImageName: 'two.example/b:2' } });
    await build(image);
    const workspace = await deployed(image);
    await redeploy(workspace, 1);
    expect(await imageAsked(workspace)).toMatchObject({
      reference: `one.example/a@${digest}`,
      id: engineIdOf(image, 1),
    });
  });

  it('needs the right to deploy both', async () => {
    const image = await make();
    await build(image, 2);
    const workspace = await deployed(image);
    const eve = await createTenant(host);
    expect((await problem(redeploy(workspace, 1, eve)))?.code).toBe('not_found');
    const flags = { user: eve.id, workspace: workspace.id };
    await write((tx) => tx.insert(workspacePermissions, { ...flags, view: true }));
    expect((await problem(redeploy(workspace, 1, eve)))?.code).toBe('forbidden');
    await write((tx) => {
      for (const { id } of tx.find(workspacePermissions, flags)) tx.patch(workspacePermissions, id, { deploy: true });
      tx.insert(imagePermissions, { user: eve.id, image: image.id, view: true });
    });
    expect((await problem(redeploy(workspace, 1, eve)))?.fields).toHaveProperty('image');
    expect(new StoreReader().get(workspaces, workspace.id)?.imageBuild).toBe(0);
  });
});

describe('builds on a host', () => {
  it('stay for as long as they are among the last good ones, or a workspace runs them', async () => {
    const image = await make();
    await build(image, 1);
    const workspace = await deployed(image);
    await build(image, 2);
    await redeploy(workspace, 2);
    await build(image, limits.buildsKeptOnHost - 2);
    expect(await removals(image)).toEqual([`berth/${image.id}:1`]);
    await build(image, 2);
    expect(await removals(image)).toEqual([1, 3].map((number) => `berth/${image.id}:${number}`));
    await redeploy(workspace, 0);
    await build(image);
    expect((await removals(image)).sort()).toEqual(
      [1, 2, 3, 4].slice(0, 4).map((number) => `berth/${image.id}:${number}`),
    );
  });
});
