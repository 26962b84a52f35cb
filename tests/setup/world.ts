import '@/lib/api/collections';
import { newId, newSecret } from '@/lib/ids';
import { hostDefaults } from '@/lib/vocabulary/limits';
import type { Actor } from '@/lib/policies/actor';
import { groups } from '@/lib/groups/collection';
import { groupMembers } from '@/lib/groups/members';
import { hostPermissions } from '@/lib/hosts/permissions';
import { hosts } from '@/lib/hosts/collection';
import { imagePermissions } from '@/lib/images/permissions';
import { images } from '@/lib/images/collection';
import { domainPermissions } from '@/lib/domains/permissions';
import { domains } from '@/lib/domains/collection';
import { filePermissions } from '@/lib/files/permissions';
import { files } from '@/lib/files/collection';
import { networkPermissions } from '@/lib/networks/permissions';
import { networks } from '@/lib/networks/collection';
import { recommendations } from '@/lib/recommendations/collection';
import { users } from '@/lib/accounts/collection';
import { volumePermissions } from '@/lib/volumes/permissions';
import { volumes } from '@/lib/volumes/collection';
import { workspacePermissions } from '@/lib/workspaces/permissions';
import { workspaces } from '@/lib/workspaces/collection';
import type { AnyRow, Collection } from '@/lib/records/collection';
import { write } from '@/lib/records/transaction';

/** Stores a record without rights and checks; whatever is not given is made up. */
async function store(collection: Collection, values: AnyRow): Promise<AnyRow> {
  return (await write((tx) => tx.insert(collection, values as never))) as AnyRow;
}

export async function createUser(overrides: AnyRow = {}): Promise<AnyRow & { id: string }> {
  const id = newId();
  const values = {
    id,
    username: `user_${id}`,
    email: `${id}@example.com`,
    name: id,
    tokenKey: newSecret(50),
    ...overrides,
  };
  return (await store(users, values)) as AnyRow & { id: string };
}

/** An ordinary signed-in person. */
export async function createPerson(overrides: AnyRow = {}): Promise<Extract<Actor, { kind: 'user' }>> {
  const { id } = await createUser(overrides);
  return { kind: 'user', id, isAdmin: overrides.isAdmin === true };
}

export function createHost(overrides: AnyRow = {}): Promise<AnyRow> {
  return store(hosts, { name: `host-${newId()}`, enabled: true, status: 'online', ...hostDefaults, ...overrides });
}

export function createImage(overrides: AnyRow = {}): Promise<AnyRow> {
  const name = `image-${newId()}`;
  const values = {
    name,
    repository: `berth/${name}`,
    tag: 'latest',
    creationType: 'writeDockerfile',
    dockerfile: 'FROM scratch\n',
  };
  return store(images, { ...values, enabled: true, status: 'build_finished', ...overrides });
}

export function createWorkspace(overrides: AnyRow = {}): Promise<AnyRow> {
  const values = { name: `workspace-${newId()}`, enabled: true, desired: 'stopped', status: 'stopped' };
  return store(workspaces, { ...values, ...overrides });
}

export function createVolume(overrides: AnyRow = {}): Promise<AnyRow> {
  return store(volumes, { name: `volume-${newId()}`, status: 'pending', ...overrides });
}

export function createNetwork(overrides: AnyRow = {}): Promise<AnyRow> {
  return store(networks, { name: `network-${newId()}`, status: 'pending', ...overrides });
}

export function createDomain(overrides: AnyRow = {}): Promise<AnyRow> {
  return store(domains, { url: `${newId()}.example.org`, ...overrides });
}

export function createFile(overrides: AnyRow = {}): Promise<AnyRow> {
  return store(files, { name: `file-${newId()}`, type: 'external', url: 'https://example.org/a', ...overrides });
}

export function createRecommendation(overrides: AnyRow = {}): Promise<AnyRow> {
  return store(recommendations, { kind: 'image', name: `recommendation-${newId()}`, enabled: true, ...overrides });
}

const permissionTables = {
  host: hostPermissions,
  image: imagePermissions,
  workspace: workspacePermissions,
  volume: volumePermissions,
  network: networkPermissions,
  file: filePermissions,
  domain: domainPermissions,
};

/** A group with these people in it. */
export async function createGroup(members: readonly { id: string }[], overrides: AnyRow = {}): Promise<AnyRow> {
  return write((tx) => {
    const values = { name: `group-${newId()}`, memberCount: members.length, ...overrides };
    const group = tx.insert(groups, values as never);
    for (const { id } of members) tx.insert(groupMembers, { group: group.id, user: id, source: 'manual' });
    return group as AnyRow;
  });
}

/** Gives a person, or a group, flags on a resource. */
export function grantTo(
  holder: { id: string } | { group: AnyRow },
  kind: keyof typeof permissionTables,
  { on, flags }: { on: AnyRow; flags: readonly string[] },
): Promise<AnyRow> {
  const given = Object.fromEntries(flags.map((flag) => [flag, true]));
  const who = 'group' in holder ? { group: holder.group.id } : { user: holder.id };
  return store(permissionTables[kind], { ...who, [kind]: on.id, ...given });
}
