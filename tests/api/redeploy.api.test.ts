import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeDb } from '@/db/database';
import { workspacePermissions } from '@/lib/workspaces/permissions';
import { agentRoutes } from '@/lib/hosts/link/agent-routes';
import type { HostRow } from '@/lib/hosts/collection';
import type { ImageRow } from '@/lib/images/collection';
import type { DesiredAnswer } from '@/lib/protocol/calls';
import { prepare } from '@/lib/records/statements';
import { StoreReader, write } from '@/lib/records/transaction';
import { seal } from '@/lib/secrets';
import type { WorkspaceAction } from '@/lib/vocabulary/workspace-status';
import { findWorkspaceChanges } from '@/lib/workspaces/changes';
import { workspaces, type WorkspaceRow } from '@/lib/workspaces/collection';
import { deployments } from '@/lib/workspaces/deployments';
import { requestWorkspace } from '@/lib/workspaces/request-workspace';
import { findWhatWasDeployed } from '@/lib/workspaces/what-was-deployed';
import { createHost, createImage, createTenant, createUser, createWorkspace, type UserActor } from './factories';
import { createCaller } from './kernel-caller';
import { makeHeartbeat, makeObserved, type ScriptedAgent } from './scripted-agent';

const call = createCaller(agentRoutes);
let agent: ScriptedAgent;
let host: HostRow;
let owner: UserActor;

const open = { containerPort: 8888, protocol: 'tcp', hostPort: '', hostIp: '' } as const;
const fixed = { ...open, hostPort: 8080 };
type Options = NonNullable<Parameters<typeof requestWorkspace>[1]['options']>;

async function create(overrides: Partial<WorkspaceRow> = {}, image: Partial<ImageRow> = {}) {
  const { id } = await createImage({ build_on: host.id, created_by: owner.id, ...image });
  return createWorkspace({ host: host.id, image: id, created_by: owner.id, ...overrides });
}
const ask = ({ id }: WorkspaceRow, action: WorkspaceAction, options: Partial<Options> = {}) =>
  requestWorkspace(owner, { workspaceId: id, action, options: { order: '', pull: false, ...options } });
async function specOf({ id }: WorkspaceRow) {
  const found = ((await agent.desired()).json as DesiredAnswer).objects.find((object) => object.id === id);
  if (found?.kind !== 'workspace' || !found.spec) throw new Error('nothing is asked for');
  return found.spec;
}
async function tell(workspace: WorkspaceRow, overrides: object = {}) {
  const { generation, attempt, ports } = await specOf(workspace);
  await agent.report({ objects: [makeObserved({ id: workspace.id, generation, attempt, ports, ...overrides })] });
}
async function up(workspace: WorkspaceRow, action: WorkspaceAction = 'start', options: Partial<Options> = {}) {
  await ask(workspace, action, options);
  await tell(workspace);
}
const newest = ({ id }: WorkspaceRow) =>
  new StoreReader().find(deployments, { workspace: id }, { orderBy: 'number', descending: true })[0]!;
const whatWas = (workspace: WorkspaceRow, deploymentId = newest(workspace).id, actor: UserActor = owner) =>
  findWhatWasDeployed(actor, { workspaceId: workspace.id, deploymentId });
const patch = ({ id }: WorkspaceRow, values: Partial<WorkspaceRow>) => write((tx) => tx.patch(workspaces, id, values));

beforeAll(async () => {
  ({ agent, host } = await createHost(call));
  owner = await createTenant(host);
});
afterAll(() => closeDb());

describe('what was deployed', () => {
  const secret = (value: string) => [{ name: 'TOKEN', value: seal(value), secret: true }];

  it('is kept whole, without secrets, beside what came before and what is set now', async () => {
    const workspace = await create({ shmSize: 64, environmentVariables: secret('first-secret') });
    await up(workspace);
    await patch(workspace, { shmSize: 128 });
    await up(workspace, 'redeploy');
    await patch(workspace, { environmentVariables: secret('other-secret') });
    const told = whatWas(workspace);
    const valueOf = (field: string) => told.settings?.find((each) => each.field === field)?.value;
    expect(told.number).toBe(2);
    expect(valueOf('shmSize')).toBe(128);
    expect(valueOf('environmentVariables')).toEqual([{ name: 'TOKEN', value: '••••••••', secret: true }]);
    expect(told.other).toMatchObject({ generation: 2, remake: 2, isolation: { ownerId: owner.id } });
    expect(told.before).toEqual({ number: 1, changed: [{ field: 'shmSize', from: 64, to: 128 }] });
    expect(told.now?.changed.map(({ field }) => field)).toEqual(['environmentVariables']);
    const kept = prepare<{ spec: string }>('SELECT spec FROM deployment_specs').all();
    for (const text of [JSON.stringify(told), ...kept.map(({ spec }) => spec)]) {
      expect(text).not.toMatch(/first-secret|other-secret|sealed:/);
    }
    await patch(workspace, { environmentVariables: secret('first-secret') });
    expect(whatWas(workspace).now?.changed).toEqual([]);
  });

  it('is of a deployment of the workspace, for whoever may see it', async () => {
    const [workspace, other] = [await create(), await create()];
    await up(workspace);
    await up(other);
    const { id } = newest(workspace);
    expect(() => whatWas(other, id)).toThrow("wasn't found");
    const stranger = await createUser();
    expect(() => whatWas(workspace, id, stranger)).toThrow("wasn't found");
    await write((tx) => tx.insert(workspacePermissions, { user: stranger.id, workspace: workspace.id, view: true }));
    expect(whatWas(workspace, id, stranger).number).toBe(1);
  });

  it('goes with the deployment, and is nothing of one that reached no host', async () => {
    const workspace = await create({}, { status: 'building', imageId: '', buildNumber: 1 });
    await ask(workspace, 'start');
    const { id } = newest(workspace);
    expect(whatWas(workspace)).toEqual({ number: 1, settings: null, other: null, before: null, now: null });
    const sent = await create();
    await up(sent);
    const deployment = newest(sent).id;
    const count = () =>
      prepare<{ count: number }>('SELECT count(*) AS count FROM deployment_specs WHERE deployment = ?').get(deployment)!
        .count;
    expect(count()).toBe(1);
    await write((tx) => tx.remove(deployments, deployment));
    expect(count()).toBe(0);
    expect(Object.keys(new StoreReader().get(deployments, id)!)).not.toContain('spec');
  });
});

describe('the order of a redeploy', () => {
  it('is up to the port where nobody says, and fixed ports leave no choice', async () => {
    const workspace = await create({ portMappings: [fixed] });
    await up(workspace);
    const { stopFirst } = findWorkspaceChanges(owner, workspace.id);
    expect(stopFirst).toEqual([{ reason: 'fixedPorts', isNecessary: true, values: ['8080'] }]);
    await expect(ask(workspace, 'redeploy', { order: 'start-first' })).rejects.toMatchObject({
      code: 'invalid',
      fields: { order: { code: 'validation_fixed_port', message: expect.stringContaining('Host port 8080 is fixed') } },
    });
    await up(workspace, 'redeploy');
    expect(await specOf(workspace)).toMatchObject({ order: 'start-first', ports: [{ hostPort: 8080 }] });
    await up(workspace, 'redeploy', { order: 'stop-first' });
    expect(await specOf(workspace)).toMatchObject({ order: 'stop-first', ports: [{ hostPort: 8080 }] });
    expect(newest(workspace)).toMatchObject({ order: 'stop-first', pull: false });
    await patch(workspace, { portMappings: [{ ...fixed, hostPort: 8081 }] });
    expect(findWorkspaceChanges(owner, workspace.id).stopFirst).toEqual([]);
  });

  it('gives the new container another port beside the old one, and the same after it', async () => {
    const workspace = await create({ portMappings: [open] });
    await up(workspace);
    const port = (await specOf(workspace)).ports[0]!.hostPort;
    const { stopFirst } = findWorkspaceChanges(owner, workspace.id);
    expect(stopFirst).toEqual([{ reason: 'pickedPorts', isNecessary: false, values: [String(port)] }]);
    await up(workspace, 'redeploy', { order: 'stop-first' });
    expect((await specOf(workspace)).ports).toMatchObject([{ hostPort: port }]);
    await up(workspace, 'redeploy', { order: 'start-first' });
    const next = (await specOf(workspace)).ports[0]!.hostPort;
    expect(next).not.toBe(port);
    expect(next).toBeGreaterThanOrEqual(20_000);
    expect(findWorkspaceChanges(owner, workspace.id).changed).toEqual([]);
    await up(workspace, 'redeploy');
    expect((await specOf(workspace)).ports).toMatchObject([{ hostPort: next }]);
  });

  it('is told of cards and of volumes that both would write to', async () => {
    const workspace = await create({ gpus: { count: 1 } });
    await up(workspace);
    expect(findWorkspaceChanges(owner, workspace.id).stopFirst).toMatchObject([{ reason: 'gpus', isNecessary: false }]);
    await ask(workspace, 'stop');
    await tell(workspace, { status: 'stopped' });
    expect(findWorkspaceChanges(owner, workspace.id).stopFirst).toEqual([]);
  });

  it('is nothing that a start is asked for, nor an agent that does not know it', async () => {
    const workspace = await create();
    await expect(ask(workspace, 'start', { order: 'stop-first' })).rejects.toMatchObject({
      fields: { order: { code: 'validation_only_redeploy' } },
    });
    await up(workspace);
    const { versions } = makeHeartbeat(agent.instance);
    await agent.heartbeat({ versions: { ...versions, protocol: 4 } });
    await expect(ask(workspace, 'redeploy', { order: 'stop-first' })).rejects.toMatchObject({
      fields: { order: { code: 'validation_agent_too_old' } },
    });
    await ask(workspace, 'redeploy', { order: 'start-first' });
    await agent.heartbeat();
  });
});

describe('a newer image', () => {
  const image = () => ({
    creationType: 'pullAnImage',
    external: true,
    dockerImageName: `registry.example/${randomUUID()}:1`,
    imageId: 'sha256:1',
  });

  it('is pulled under a name of its own, which stays until it failed or there is a newer build', async () => {
    const workspace = await create({}, image());
    await up(workspace);
    const own = (await specOf(workspace)).image.tag!;
    expect(findWorkspaceChanges(owner, workspace.id).canPull).toBe(true);
    await up(workspace, 'redeploy', { pull: true });
    const taken = (await specOf(workspace)).image;
    expect(taken).toMatchObject({ tag: `${own}-${workspace.id}-2`, id: '', pull: true });
    expect(newest(workspace)).toMatchObject({ pull: true });
    expect(findWorkspaceChanges(owner, workspace.id).changed).toEqual([]);
    await up(workspace, 'redeploy');
    expect((await specOf(workspace)).image).toEqual(taken);

    await ask(workspace, 'redeploy', { pull: true });
    await tell(workspace, { status: 'error', message: 'no such tag' });
    expect((await specOf(workspace)).image.tag).toBe(`${own}-${workspace.id}-4`);
    expect(findWorkspaceChanges(owner, workspace.id).changed).toEqual([]);
    await ask(workspace, 'start');
    expect((await specOf(workspace)).image.tag).toBe(`${own}-${workspace.id}-4`);
    await ask(workspace, 'redeploy');
    expect((await specOf(workspace)).image).toEqual(taken);
  });

  it('is nothing for an image that is built, or named by its digest', async () => {
    const built = await create();
    await up(built);
    expect(findWorkspaceChanges(owner, built.id).canPull).toBe(false);
    await expect(ask(built, 'redeploy', { pull: true })).rejects.toMatchObject({
      fields: { pull: { code: 'validation_not_pulled' } },
    });
    const pinned = { ...image(), dockerImageName: `registry.example/x@sha256:${'a'.repeat(64)}` };
    const digest = await create({}, pinned);
    await up(digest);
    expect(findWorkspaceChanges(owner, digest.id).canPull).toBe(false);
  });
});
