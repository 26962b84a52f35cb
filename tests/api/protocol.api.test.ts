import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeDb } from '@/db/database';
import { nowMs } from '@/lib/clock';
import { type HostRow, hosts } from '@/lib/hosts/collection';
import { createJoinToken } from '@/lib/hosts/create-join-token';
import { agentRoutes } from '@/lib/hosts/link/agent-routes';
import { getIdentity } from '@/lib/hosts/link/host-identities';
import { listKinds } from '@/lib/hosts/link/kinds';
import { builds } from '@/lib/images/builds';
import { requestImage } from '@/lib/images/request-image';
import type { DesiredAnswer } from '@/lib/protocol/calls';
import { specSchemas } from '@/lib/protocol/specs/desired';
import { PROTOCOL_VERSION, PROTOCOL_VERSION_MIN } from '@/lib/protocol/version';
import { StoreReader } from '@/lib/records/transaction';
import type { DeploymentStep } from '@/lib/vocabulary/workspace';
import type { WorkspaceRow } from '@/lib/workspaces/collection';
import { deployments } from '@/lib/workspaces/deployments';
import { requestWorkspace } from '@/lib/workspaces/request-workspace';
import {
  createHost,
  createImage,
  createTenant,
  createWorkspace,
  readImage,
  readWorkspace,
  type UserActor,
} from './factories';
import { createCaller } from './kernel-caller';
import { makeHeartbeat, makeJobEvent, makeJoin, makeObserved, ScriptedAgent } from './scripted-agent';

const call = createCaller(agentRoutes);
let agent: ScriptedAgent;
let host: HostRow;
let owner: UserActor;

const speaking = (protocol: number, protocolMin = protocol) => {
  return { agent: '9.0.0', protocol, protocolMin, engine: '', engineApi: '' };
};
const refusalOf = (answer: { json?: unknown }) =>
  (answer.json as { data: { agent: { code: string; message: string } } }).data.agent;

async function startWorkspace(): Promise<WorkspaceRow> {
  const image = await createImage({ build_on: host.id, created_by: owner.id });
  const workspace = await createWorkspace({ host: host.id, image: image.id, created_by: owner.id });
  await requestWorkspace(owner, { workspaceId: workspace.id, action: 'start' });
  return workspace;
}

async function desiredOf(id: string): Promise<{ kind: string; id: string; revision: number }> {
  const { objects } = (await agent.desired()).json as DesiredAnswer;
  const { kind, revision } = objects.find((object) => object.id === id)!;
  return { kind, id, revision };
}

function timelineOf({ id }: WorkspaceRow): DeploymentStep[] {
  return new StoreReader().find(deployments, { workspace: id })[0]!.steps!;
}

beforeAll(async () => {
  ({ agent, host } = await createHost(call));
  owner = await createTenant(host);
});
afterAll(() => closeDb());

describe('versions of the protocol', () => {
  it('are said by the console in its answers and kept of each agent', async () => {
    const own = { protocol: PROTOCOL_VERSION, protocolMin: PROTOCOL_VERSION_MIN };
    const { token } = await createJoinToken({ kind: 'system' }, { name: 'older' });
    const older = new ScriptedAgent(call);
    expect((await older.join('older', token)).json).toMatchObject(own);
    expect(getIdentity(older.hostId)).toMatchObject({ protocol: PROTOCOL_VERSION });
    const beat = await older.heartbeat({ versions: speaking(PROTOCOL_VERSION + 1, PROTOCOL_VERSION) });
    expect([beat.status, beat.json]).toEqual([200, expect.objectContaining(own)]);
    expect(getIdentity(older.hostId)).toMatchObject({ protocol: PROTOCOL_VERSION + 1 });
    const { engine } = new StoreReader().get(hosts, older.hostId)!;
    expect(engine).toMatchObject({ protocol: PROTOCOL_VERSION + 1 });
  });

  it('out of range are refused, with what to upgrade, whatever shape the rest has', async () => {
    const versions = speaking(PROTOCOL_VERSION + 2, PROTOCOL_VERSION + 1);
    const beat = await agent.send('POST', '/api/agent/heartbeat', { pulse: 1, versions });
    const message = `The agent speaks protocol ${PROTOCOL_VERSION + 1} to ${PROTOCOL_VERSION + 2}, the console 1 to ${PROTOCOL_VERSION}. Upgrade the console.`;
    expect([beat.status, refusalOf(beat)]).toEqual([403, { code: 'agent_protocol_unsupported', message }]);
    const body = JSON.stringify({ ...makeJoin('x', 'none', agent.publicKey), name: 7, versions: speaking(0) });
    const join = await call({ method: 'POST', url: '/api/agent/join', body });
    expect([join.status, refusalOf(join).code]).toEqual([403, 'agent_protocol_unsupported']);
    expect(refusalOf(join).message).toContain('Upgrade the agent.');
  });

  it('in range leave a malformed message malformed', async () => {
    const answer = await agent.send('POST', '/api/agent/heartbeat', { ...makeHeartbeat(agent.instance), os: 7 });
    expect(answer.status).toBe(400);
  });
});

describe('the kinds of the protocol', () => {
  it('are all on the host link', () => {
    const names = listKinds().map(({ name }) => name);
    expect(names.toSorted()).toEqual(Object.keys(specSchemas).toSorted());
  });
});

describe('an agent that is newer than the console', () => {
  it('is taken at the words that the console knows, in a report full of others', async () => {
    const workspace = await startWorkspace();
    const about = { workspaceId: workspace.id, generation: 1, attempt: 0, status: 'done', message: '', at: nowMs() };
    const observed = { ...makeObserved({ id: workspace.id }), mood: 'fine' };
    const answer = await agent.send('POST', '/api/agent/report', {
      instance: agent.instance,
      sequence: (agent.sequence += 1),
      sentAt: nowMs(),
      objects: [{ kind: 'volume', id: 'v1', status: 'mounted' }, { ...observed, status: 'dreaming' }, observed],
      steps: [
        { ...about, key: 'thaw' },
        { ...about, key: 'create', kind: 'volume' },
        { ...about, key: 'start', kind: 'workspace', cost: 1 },
      ],
      jobs: [
        { ...makeJobEvent({ id: 'none' }), status: 'scanned' },
        { kind: 'scan', id: 'none' },
      ],
      weather: [{ isRaining: true }],
    });
    expect(answer.json).toMatchObject({ acknowledged: agent.sequence });
    expect(readWorkspace(workspace.id)).toMatchObject({ status: 'running', observedGeneration: 1 });
    expect(timelineOf(workspace).map(({ key }) => key)).toEqual(['asked', 'queued', 'start']);
  });
});

describe('an agent that is older than the console', () => {
  it('is understood without the words that came since', async () => {
    const workspace = await startWorkspace();
    const { kind: _, ...observed } = makeObserved({ id: workspace.id });
    const parts = { objects: [observed], steps: [], jobs: [] };
    const from = { instance: agent.instance, sequence: (agent.sequence += 1), sentAt: nowMs() };
    expect((await agent.send('POST', '/api/agent/report', { ...from, ...parts })).status).toBe(200);
    expect(readWorkspace(workspace.id)).toMatchObject({ status: 'running' });
  });

  it('has its workspace say what to update, until it can read it', async () => {
    const workspace = await startWorkspace();
    const object = await desiredOf(workspace.id);
    const unsupported = [{ ...object, reason: 'mounts: Invalid input' }];
    await agent.report({ unsupported });
    const words = `The agent on host ${host.name} is too old for this workspace: update it.`;
    const message = `${words} It says: mounts: Invalid input`;
    expect(readWorkspace(workspace.id)).toMatchObject({ status: 'error', statusMessage: message });
    const [deployment] = new StoreReader().find(deployments, { workspace: workspace.id });
    expect(deployment).toMatchObject({ status: 'failed', statusMessage: message });
    await agent.report({ objects: [makeObserved({ id: workspace.id })] });
    expect(readWorkspace(workspace.id)).toMatchObject({ status: 'running', statusMessage: '' });
    await requestWorkspace(owner, { workspaceId: workspace.id, action: 'redeploy' });
    await agent.report({ unsupported });
    expect(readWorkspace(workspace.id)).toMatchObject({ status: 'deployment_pending' });
  });

  it('has its build fail with what to update', async () => {
    const image = await createImage({ build_on: host.id, created_by: owner.id, status: '', imageId: '' });
    await requestImage(owner, { imageId: image.id, action: 'build' });
    const [build] = new StoreReader().find(builds, { image: image.id });
    await agent.report({ unsupported: [{ ...(await desiredOf(build!.id)), reason: 'job: Invalid input' }] });
    const message = `The agent on host ${host.name} is too old for this job: update it. It says: job: Invalid input`;
    expect(readImage(image.id)).toMatchObject({ status: 'error', statusMessage: message });
  });

  it('may name what nobody ever asked of it', async () => {
    const stray = { kind: 'volume', id: 'v1', revision: 1, reason: 'objects of this kind are not known' };
    expect((await agent.report({ unsupported: [stray, { ...stray, kind: 'workspace' }] })).status).toBe(200);
  });
});
