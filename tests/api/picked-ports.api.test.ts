import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeDb } from '@/db/database';
import { agentRoutes } from '@/lib/hosts/link/agent-routes';
import type { HostRow } from '@/lib/hosts/collection';
import type { ImageRow } from '@/lib/images/collection';
import type { DesiredAnswer } from '@/lib/protocol/calls';
import { write } from '@/lib/records/transaction';
import type { WorkspaceAction } from '@/lib/vocabulary/workspace-status';
import { findWorkspaceChanges } from '@/lib/workspaces/changes';
import { workspaces, type WorkspaceRow } from '@/lib/workspaces/collection';
import { requestWorkspace } from '@/lib/workspaces/request-workspace';
import { createHost, createImage, createTenant, createWorkspace, readWorkspace, type UserActor } from './factories';
import { createCaller } from './kernel-caller';
import { makeObserved, type ScriptedAgent } from './scripted-agent';

/** Host ports that Berth picks are a promise: people keep the addresses. */
const call = createCaller(agentRoutes);
let agent: ScriptedAgent;
let host: HostRow;
let image: ImageRow;
let owner: UserActor;

const open = { containerPort: 8888, protocol: 'tcp', hostPort: '', hostIp: '' } as const;
const fresh = (overrides: Partial<WorkspaceRow> = {}) =>
  createWorkspace({ host: host.id, image: image.id, created_by: owner.id, portMappings: [open], ...overrides });
const ask = ({ id }: WorkspaceRow, action: WorkspaceAction) =>
  requestWorkspace(owner, { workspaceId: id, action, force: false });
const specOf = async ({ id }: WorkspaceRow) => {
  const found = ((await agent.desired()).json as DesiredAnswer).objects.find((object) => object.id === id);
  if (found?.kind !== 'workspace' || !found.spec) throw new Error('nothing is asked for');
  return found.spec;
};
const portOf = async (workspace: WorkspaceRow) => (await specOf(workspace)).ports[0]!.hostPort;
const tell = async (workspace: WorkspaceRow, overrides: object = {}) => {
  const { generation, attempt, ports } = await specOf(workspace);
  await agent.report({ objects: [makeObserved({ id: workspace.id, generation, attempt, ports, ...overrides })] });
};

beforeAll(async () => {
  ({ agent, host } = await createHost(call));
  owner = await createTenant(host);
  image = await createImage({ build_on: host.id, created_by: owner.id });
});
afterAll(() => closeDb());

it('picks a host port, and keeps it over stops, starts and redeploys', async () => {
  const workspace = await fresh();
  await ask(workspace, 'start');
  const port = await portOf(workspace);
  expect(port).toBeGreaterThanOrEqual(20_000);
  expect(port).toBeLessThan(30_000);
  await tell(workspace);
  await ask(workspace, 'stop');
  await tell(workspace, { status: 'stopped' });
  await ask(workspace, 'start');
  expect(await specOf(workspace)).toMatchObject({ generation: 1, ports: [{ hostPort: port }] });
  await tell(workspace);
  expect(findWorkspaceChanges(owner, workspace.id).changed).toEqual([]);
  await ask(workspace, 'redeploy');
  expect(await specOf(workspace)).toMatchObject({ generation: 2, ports: [{ hostPort: port }] });
});

it('keeps the port that an engine had picked', async () => {
  const hostPort = 32_771;
  const workspace = await fresh({ observedPorts: [{ ...open, hostPort }] });
  await ask(workspace, 'start');
  expect(await portOf(workspace)).toBe(hostPort);
});

it('picks none that another workspace of the host has', async () => {
  const hostPort = 32_772;
  await fresh({ portMappings: [{ ...open, hostPort }] });
  const workspace = await fresh({ observedPorts: [{ ...open, hostPort }] });
  await ask(workspace, 'start');
  expect(await portOf(workspace)).not.toBe(hostPort);
});

it('picks another where the host says that it is taken', async () => {
  const workspace = await fresh();
  await ask(workspace, 'start');
  const port = await portOf(workspace);
  const message = `Bind for 0.0.0.0:${port} failed: port is already allocated. Choose another host port.`;
  await tell(workspace, { status: 'error', message, ports: [] });
  expect(readWorkspace(workspace.id)!.status).toBe('error');
  await ask(workspace, 'start');
  expect(await portOf(workspace)).not.toBe(port);
});

it('gives up the port that was asked for and taken, once it is left open', async () => {
  const hostPort = 8080;
  const workspace = await fresh({ portMappings: [{ ...open, hostPort }] });
  await ask(workspace, 'start');
  await tell(workspace, {
    status: 'error',
    message: 'Bind for 0.0.0.0:8080 failed: port is already allocated.',
    ports: [],
  });
  await write((tx) => tx.patch(workspaces, workspace.id, { portMappings: [open] }));
  expect(findWorkspaceChanges(owner, workspace.id).changed.map(({ field }) => field)).toEqual(['portMappings']);
  await ask(workspace, 'start');
  expect(await portOf(workspace)).not.toBe(hostPort);
});
