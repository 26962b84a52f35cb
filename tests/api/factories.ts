import { hosts, type HostRow } from '@/lib/hosts/collection';
import { hostPermissions } from '@/lib/hosts/permissions';
import { images, type ImageRow } from '@/lib/images/collection';
import { users } from '@/lib/accounts/collection';
import { workspaces, type WorkspaceRow } from '@/lib/workspaces/collection';
import { createJoinToken } from '@/lib/hosts/create-join-token';
import { newId, newSecret } from '@/lib/ids';
import type { Actor } from '@/lib/policies/actor';
import { StoreReader, write } from '@/lib/records/transaction';
import { type Caller, ScriptedAgent } from './scripted-agent';

export type UserActor = Extract<Actor, { kind: 'user' }>;

export async function createUser(overrides: { isAdmin?: boolean; name?: string } = {}): Promise<UserActor> {
  const { isAdmin = false } = overrides;
  const username = `user-${newId()}`;
  const values = {
    username,
    email: `${username}@example.com`,
    tokenKey: newSecret(50),
    name: 'Ada',
    isAdmin,
    ...overrides,
  };
  const user = await write((tx) => tx.insert(users, values));
  return { kind: 'user', id: user.id, isAdmin };
}

/** A host with an agent that has joined and beaten once. */
export async function createHost(
  call: Caller,
  name = `host-${newId()}`,
): Promise<{ agent: ScriptedAgent; host: HostRow }> {
  const { token } = await createJoinToken({ kind: 'system' }, { name });
  const agent = new ScriptedAgent(call);
  await agent.join(name, token);
  await agent.heartbeat();
  return { agent, host: new StoreReader().get(hosts, agent.hostId)! };
}

/** Someone who may build and run things on the host. */
export async function createTenant(host: { id: string }): Promise<UserActor> {
  const tenant = await createUser();
  const flags = { view: true, canCreateImages: true, canCreateWorkspaces: true };
  await write((tx) => tx.insert(hostPermissions, { user: tenant.id, host: host.id, ...flags }));
  return tenant;
}

export function createImage(overrides: Partial<ImageRow> & { build_on: string }): Promise<ImageRow> {
  const name = `image-${newId()}`;
  const base = {
    name,
    enabled: true,
    creationType: 'generateDockerfile',
    baseImage: 'ubuntu:24.04',
    repository: name,
    tag: 'latest',
    status: 'build_finished',
    imageId: 'sha256:1',
    buildNumber: 1,
  };
  return write((tx) => tx.insert(images, { ...base, ...overrides }));
}

export function createWorkspace(
  overrides: Partial<WorkspaceRow> & { host: string; image: string },
): Promise<WorkspaceRow> {
  const base = { name: `workspace-${newId()}`, enabled: true, status: 'stopped', desired: 'stopped' };
  return write((tx) => tx.insert(workspaces, { ...base, ...overrides }));
}

export function readWorkspace(id: string): WorkspaceRow | undefined {
  return new StoreReader().get(workspaces, id);
}

export function readImage(id: string): ImageRow | undefined {
  return new StoreReader().get(images, id);
}

/** The same question to a host whose agent was started to give a shell. */
export async function allowHostTerminal<Q extends { params?: Record<string, string> }>(question: Q): Promise<Q> {
  const terminal = { isOn: true, canResize: true, isContained: false, problem: '' };
  await write((tx) => {
    const { id, engine } = tx.get(hosts, question.params!.id!)!;
    return tx.observe(hosts, id, { engine: { ...engine!, terminal } });
  });
  return question;
}
