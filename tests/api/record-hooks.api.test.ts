import { afterAll, beforeAll, expect, it } from 'vitest';
import { closeDb } from '@/db/database';
import { agentRoutes } from '@/lib/hosts/link/agent-routes';
import { hosts, type HostRow } from '@/lib/hosts/collection';
import { images } from '@/lib/images/collection';
import { workspaces } from '@/lib/workspaces/collection';
import { requestWorkspace } from '@/lib/workspaces/request-workspace';
import type { DesiredAnswer } from '@/lib/protocol/calls';
import { deleteRecord } from '@/lib/records/remover';
import { StoreReader } from '@/lib/records/transaction';
import { updateRecord } from '@/lib/records/writer';
import { tryOpen } from '@/lib/secrets';
import {
  createHost,
  createImage,
  createUser,
  createWorkspace,
  readImage,
  readWorkspace,
  type UserActor,
} from './factories';
import { createCaller } from './kernel-caller';
import { makeObserved, type ScriptedAgent } from './scripted-agent';

const call = createCaller(agentRoutes);
let agent: ScriptedAgent;
let host: HostRow;
let owner: UserActor;
const desired = async (since = 0) => (await agent.desired(since)).json as DesiredAnswer;

beforeAll(async () => {
  ({ agent, host } = await createHost(call));
  owner = await createUser({ isAdmin: true });
});
afterAll(() => closeDb());

it("sends a host's changed settings to its agent, without its accounts, and nothing for other changes", async () => {
  const { revision } = await desired();
  const registry_auths = [{ serveraddress: 'registry.test', username: 'ada', password: 'hush' }];
  await updateRecord(hosts, owner, { id: host.id, body: { registry_auths, default_runtime: 'runsc' } });
  const { objects } = await desired(revision);
  expect(objects).toMatchObject([{ kind: 'host', spec: { registryAuths: [], defaultRuntime: 'runsc' } }]);
  const after = (await desired()).revision;
  await updateRecord(hosts, owner, { id: host.id, body: { heartbeat_interval_seconds: 20 } });
  expect((await agent.desired(after)).status).toBe(204);
  expect((await agent.heartbeat()).json).toMatchObject({ heartbeatIntervalSeconds: 20 });
});

it('keeps the password of an account, and takes no account that can not sign in', async () => {
  const set = (...registry_auths: object[]) => updateRecord(hosts, owner, { id: host.id, body: { registry_auths } });
  const [robot, other] = ['robot', 'other'].map((username) => ({ serveraddress: 'registry.test', username }));
  const stored = () =>
    (new StoreReader().get(hosts, host.id)?.registry_auths ?? []).map(({ password }) => tryOpen(password));
  await set({ ...robot, password: 'hush' });
  await set(robot!, { ...other, password: 'still' });
  expect(stored()).toEqual(['hush', 'still']);
  await expect(set(robot!, { serveraddress: 'ghcr.test', username: 'robot' })).rejects.toMatchObject({
    fields: { registry_auths: { 1: { password: { code: 'validation_required' } } } },
  });
  await expect(set(robot!, robot!)).rejects.toMatchObject({
    fields: { registry_auths: { 1: { username: { code: 'validation_not_unique' } } } },
  });
  expect(stored()).toEqual(['hush', 'still']);
});

it('deletes a workspace over its host, and an image once nothing uses it', async () => {
  const image = await createImage({ build_on: host.id, created_by: owner.id });
  const workspace = await createWorkspace({ host: host.id, image: image.id, created_by: owner.id });
  await requestWorkspace(owner, { workspaceId: workspace.id, action: 'start' });
  await expect(deleteRecord(images, owner, image.id)).rejects.toThrow(`Used by the workspace ${workspace.name}`);
  await deleteRecord(workspaces, owner, workspace.id);
  expect(readWorkspace(workspace.id)).toMatchObject({ desired: 'absent', status: 'stopping' });
  await agent.report({ objects: [makeObserved({ id: workspace.id, status: 'absent' })] });
  expect(readWorkspace(workspace.id)).toBeUndefined();
  await deleteRecord(images, owner, image.id);
  expect(readImage(image.id)).toBeUndefined();
  expect((await desired()).objects.at(-1)).toMatchObject({ kind: 'job', spec: { job: 'remove-image' } });
});
