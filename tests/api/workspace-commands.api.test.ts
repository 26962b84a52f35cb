import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeDb } from '@/db/database';
import { agentRoutes } from '@/lib/hosts/link/agent-routes';
import { deployments } from '@/lib/workspaces/deployments';
import { hosts, type HostRow } from '@/lib/hosts/collection';
import { images, type ImageRow } from '@/lib/images/collection';
import { workspacePermissions } from '@/lib/workspaces/permissions';
import { workspaces, type WorkspaceRow } from '@/lib/workspaces/collection';
import { requestWorkspace } from '@/lib/workspaces/request-workspace';
import { findWorkspaceChanges } from '@/lib/workspaces/changes';
import type { WorkspaceAction } from '@/lib/vocabulary/workspace-status';
import { type AppError } from '@/lib/errors';
import { nowMs } from '@/lib/clock';
import type { DesiredAnswer } from '@/lib/protocol/calls';
import { StoreReader, write } from '@/lib/records/transaction';
import { seal } from '@/lib/secrets';
import {
  createHost,
  createImage,
  createTenant,
  createUser,
  createWorkspace,
  readWorkspace,
  type UserActor,
} from './factories';
import { createCaller } from './kernel-caller';
import { makeObserved, type ScriptedAgent } from './scripted-agent';

const call = createCaller(agentRoutes);
let agent: ScriptedAgent;
let host: HostRow;
let image: ImageRow;
let owner: UserActor;
let workspace: WorkspaceRow;

const ask = (action: WorkspaceAction, actor = owner, force = false) =>
  requestWorkspace(actor, { workspaceId: workspace.id, action, force });
const problem = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error as AppError,
  );
const now = () => readWorkspace(workspace.id)!;
const timeline = () => new StoreReader().find(deployments, { workspace: workspace.id }, { orderBy: 'number' });
const specOf = async (id = workspace.id) => {
  const answer = (await agent.desired()).json as DesiredAnswer;
  const found = answer.objects.find((object) => object.id === id);
  return found?.kind === 'workspace' ? found.spec : undefined;
};
const observe = (overrides: Omit<Parameters<typeof makeObserved>[0], 'id'>) =>
  agent.report({ objects: [makeObserved({ id: workspace.id, ...overrides })] });

beforeAll(async () => {
  ({ agent, host } = await createHost(call));
  owner = await createTenant(host);
  image = await createImage({ build_on: host.id, created_by: owner.id });
});
afterAll(() => closeDb());

async function freshWorkspace(overrides: Partial<WorkspaceRow> = {}): Promise<void> {
  workspace = await createWorkspace({ host: host.id, image: image.id, created_by: owner.id, ...overrides });
}

describe('start, stop and redeploy', () => {
  it('goes from asked to running, with a timeline', async () => {
    await freshWorkspace({
      command: `sh -c 'echo hi'`,
      environmentVariables: [{ name: 'TOKEN', value: seal('hush'), secret: true }],
      portMappings: [{ containerPort: '80-81', hostPort: '', protocol: 'tcp', hostIp: 'localhost' }],
    });
    expect(await ask('start')).toEqual({ id: workspace.id, status: 'deployment_pending', generation: 1 });
    expect(await specOf()).toMatchObject({
      generation: 1,
      attempt: 0,
      state: 'running',
      image: { reference: `berth/${image.id}:1`, tag: `berth/${image.id}:1`, id: 'sha256:1', pull: false },
      command: ['sh', '-c', 'echo hi'],
      environment: [{ name: 'TOKEN', value: 'hush' }],
      ports: [
        { containerPort: 80, hostPort: expect.any(Number), protocol: 'tcp', hostIp: '127.0.0.1' },
        { containerPort: 81, hostPort: expect.any(Number), protocol: 'tcp', hostIp: '127.0.0.1' },
      ],
    });
    const at = nowMs() + 3_600_000;
    const step = {
      workspaceId: workspace.id,
      generation: 1,
      attempt: 0,
      key: 'create' as const,
      message: 'Created',
      at,
    };
    await agent.report({
      sentAt: at + 40,
      steps: [{ ...step, status: 'done' }],
      objects: [makeObserved({ id: workspace.id, status: 'deploying' })],
    });
    expect(now()).toMatchObject({ status: 'deploying', observedGeneration: 1 });
    await observe({
      status: 'running',
      containerId: 'c9',
      ports: [{ containerPort: 80, hostPort: 32768, protocol: 'tcp', hostIp: '' }],
    });
    expect(now()).toMatchObject({
      status: 'running',
      desired: 'running',
      containerId: 'c9',
      observedPorts: [{ hostPort: 32768 }],
    });
    const [deployment] = timeline();
    expect(deployment).toMatchObject({ status: 'succeeded', number: 1, action: 'start' });
    expect(deployment!.steps!.map(({ key, status }) => `${key} ${status}`)).toEqual([
      'asked done',
      'queued done',
      'create done',
    ]);
    expect(deployment!.steps![0]!.message).toBe('Asked by Ada');
    expect(Date.parse(deployment!.steps![2]!.endedAt.replace(' ', 'T'))).toBeLessThanOrEqual(nowMs());
  });

  it('refuses what is not possible now and lists what is', async () => {
    const error = await problem(ask('start'));
    expect(error?.fields.action).toEqual({
      code: 'validation_illegal_action',
      message: "Can't start a workspace that is running. Possible now: stop, redeploy, disable, delete.",
    });
    expect(now().status).toBe('running');
  });

  it('stops, and starts the unchanged generation again as a new attempt', async () => {
    expect(await ask('stop')).toMatchObject({ status: 'stopping', generation: 1 });
    await observe({ status: 'running' });
    expect(now().status).toBe('stopping');
    await observe({ attempt: 1, status: 'stopped' });
    expect(now().status).toBe('stopped');
    await ask('start');
    expect(await specOf()).toMatchObject({ generation: 1, attempt: 2, state: 'running' });
    await observe({ attempt: 2 });
    expect(now().status).toBe('running');
  });

  it('says what a redeploy would change, and keeps a running workspace as it is until asked', async () => {
    const environmentVariables = [{ name: 'TOKEN', value: seal('new'), secret: true }];
    await write((tx) => tx.patch(workspaces, workspace.id, { environmentVariables, cpuLimit: 2 }));
    const { changed } = findWorkspaceChanges(owner, workspace.id);
    expect(changed.map(({ field }) => field)).toEqual(['environmentVariables', 'cpuLimit']);
    expect(JSON.stringify(changed)).not.toMatch(/hush|new"|sealed/);
    expect(await specOf()).toMatchObject({ generation: 1, cpuLimit: 0 });
    expect(await ask('redeploy')).toMatchObject({ generation: 2, status: 'deployment_pending' });
    expect(await specOf()).toMatchObject({ generation: 2, attempt: 0, cpuLimit: 2 });
    expect(findWorkspaceChanges(owner, workspace.id).changed).toEqual([]);
  });

  it('ignores reports about another generation or attempt', async () => {
    await observe({ generation: 1, attempt: 2, status: 'error', message: 'old' });
    await observe({ generation: 2, attempt: 1, status: 'error' });
    expect(now()).toMatchObject({ status: 'deployment_pending', generation: 2 });
  });

  it('marks the deployment that a newer ask overtakes', async () => {
    await ask('redeploy');
    expect(
      timeline()
        .map(({ status }) => status)
        .slice(-2),
    ).toEqual(['superseded', 'pending']);
  });

  it('takes a report once', async () => {
    await observe({ generation: 3 });
    expect(now().status).toBe('running');
    const repeated = await agent.report({
      sequence: agent.sequence,
      objects: [makeObserved({ id: workspace.id, generation: 3, status: 'error' })],
    });
    expect(repeated.json).toMatchObject({ acknowledged: agent.sequence - 1 });
    agent.sequence -= 1;
    expect(now().status).toBe('running');
  });

  it("ends a deployment with the host's words when it fails, and takes back when a retry succeeds", async () => {
    await ask('redeploy');
    await observe({ generation: 4, status: 'error', message: 'port is taken', retries: 2 });
    expect(now()).toMatchObject({ status: 'error', statusMessage: 'port is taken (tried 3 times)' });
    expect(timeline().at(-1)).toMatchObject({ status: 'failed', statusMessage: 'port is taken (tried 3 times)' });
    await observe({ generation: 4 });
    expect([now().status, timeline().at(-1)!.status]).toEqual(['running', 'succeeded']);
  });

  it('ignores what another host says of a workspace', async () => {
    const { agent: other } = await createHost(call);
    await other.report({ objects: [makeObserved({ id: workspace.id, generation: 4, status: 'error' })] });
    expect(now().status).toBe('running');
  });

  it('has a redeploy make the container anew although nothing was changed, and a start not', async () => {
    await freshWorkspace();
    await ask('start');
    expect(await specOf()).toMatchObject({ generation: 1, remake: 0 });
    await observe({});
    expect(findWorkspaceChanges(owner, workspace.id).changed).toEqual([]);
    await ask('redeploy');
    expect(await specOf()).toMatchObject({ generation: 2, remake: 2 });
    await observe({ generation: 2, imageId: 'sha256:7', madeGeneration: 2 });
    expect(now().observedContainer).toMatchObject({ imageId: 'sha256:7', generation: 2, exitCode: null });
    await ask('stop');
    await write((tx) => tx.patch(workspaces, workspace.id, { cpuLimit: 1 }));
    await observe({ generation: 2, attempt: 1, status: 'stopped' });
    await ask('start');
    expect(await specOf()).toMatchObject({ generation: 3, remake: 2 });
  });

  it('numbers a redeploy after the container that the host has, whatever a restored console remembers', async () => {
    await observe({ generation: 3, madeGeneration: 7 });
    expect(await ask('redeploy')).toMatchObject({ generation: 8 });
    expect(await specOf()).toMatchObject({ remake: 8 });
  });
});

describe('rights and switches', () => {
  it('hides a workspace from strangers and refuses acts beyond the grant', async () => {
    await freshWorkspace();
    const guest = await createUser();
    expect((await problem(ask('start', guest)))?.code).toBe('not_found');
    await write((tx) => tx.insert(workspacePermissions, { user: guest.id, workspace: workspace.id, view: true }));
    expect((await problem(ask('start', guest)))?.code).toBe('forbidden');
    expect(now().status).toBe('stopped');
  });

  it('refuses a disabled workspace, image or host at its field', async () => {
    await freshWorkspace();
    await ask('disable');
    expect((await problem(ask('start')))?.fields.action).toMatchObject({
      message: expect.stringContaining('that is disabled'),
    });
    await ask('enable');
    const enableImage = (enabled: boolean) => write((tx) => tx.patch(images, image.id, { enabled }));
    const enableHost = (enabled: boolean) => write((tx) => tx.patch(hosts, host.id, { enabled }));
    for (const [field, enable] of [
      ['image', enableImage],
      ['host', enableHost],
    ] as const) {
      await enable(false);
      expect(Object.keys((await problem(ask('start')))!.fields)).toEqual([field]);
      await enable(true);
    }
    expect(timeline()).toEqual([]);
  });

  it.each(['start', 'redeploy'] as const)('refuses to %s a template', async (action) => {
    await freshWorkspace({ template: true });
    expect((await problem(ask(action)))?.fields.action).toMatchObject({
      message: expect.stringContaining('that is a template'),
    });
    expect(timeline()).toEqual([]);
  });

  it('takes a start for an offline host and says what it waits for', async () => {
    await freshWorkspace();
    await write((tx) => tx.patch(hosts, host.id, { status: 'offline' }));
    await ask('start');
    expect(now().statusMessage).toMatch(`Waiting for host ${host.name}, last seen 20`);
    await write((tx) => tx.patch(hosts, host.id, { status: 'online' }));
  });

  it('refuses an image that only another host has', async () => {
    const { host: other } = await createHost(call);
    await freshWorkspace({ host: other.id });
    expect(Object.keys((await problem(ask('start')))!.fields)).toEqual(['image']);
  });
});

describe('delete', () => {
  it('removes the record when the host has confirmed', async () => {
    await freshWorkspace();
    await ask('start');
    await observe({});
    const before = ((await agent.desired()).json as DesiredAnswer).revision;
    expect(await ask('delete')).toMatchObject({ status: 'stopping' });
    expect((await agent.desired(before)).json).toMatchObject({
      full: false,
      objects: [{ id: workspace.id, spec: null }],
    });
    expect((await problem(ask('stop')))?.fields.action).toMatchObject({
      message: expect.stringContaining('being deleted'),
    });
    await observe({ status: 'absent', generation: 99 });
    expect(now()).toBeUndefined();
    expect(timeline()).toEqual([]);
  });

  it('removes at once what no host holds', async () => {
    await freshWorkspace();
    await ask('delete');
    expect(now()).toBeUndefined();
  });

  it('lets only admins force it, and the host still removes its container', async () => {
    await freshWorkspace();
    await ask('start');
    expect((await problem(ask('delete', owner, true)))?.code).toBe('forbidden');
    await ask('delete', await createUser({ isAdmin: true }), true);
    expect(now()).toBeUndefined();
    expect(await specOf()).toBeNull();
  });
});
