import '@/lib/collections/all';
import { newId, newSecret } from '@/lib/ids';
import { hostDefaults } from '@/lib/domain/limits';
import type { Actor } from '@/lib/policies/actor';
import { hostPermissions } from '@/lib/collections/host-permissions';
import { hosts } from '@/lib/collections/hosts';
import { imagePermissions } from '@/lib/collections/image-permissions';
import { images } from '@/lib/collections/images';
import { domainPermissions } from '@/lib/collections/domain-permissions';
import { domains } from '@/lib/collections/domains';
import { filePermissions } from '@/lib/collections/file-permissions';
import { files } from '@/lib/collections/files';
import { networkPermissions } from '@/lib/collections/network-permissions';
import { networks } from '@/lib/collections/networks';
import { recommendations } from '@/lib/collections/recommendations';
import { users } from '@/lib/collections/users';
import { volumePermissions } from '@/lib/collections/volume-permissions';
import { volumes } from '@/lib/collections/volumes';
import { workspacePermissions } from '@/lib/collections/workspace-permissions';
import { workspaces } from '@/lib/collections/workspaces';
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

/** Gives a person flags on a resource. */
export function grantTo(
  person: { id: string },
  kind: keyof typeof permissionTables,
  { on, flags }: { on: AnyRow; flags: readonly string[] },
): Promise<AnyRow> {
  const given = Object.fromEntries(flags.map((flag) => [flag, true]));
  return store(permissionTables[kind], { user: person.id, [kind]: on.id, ...given });
}
