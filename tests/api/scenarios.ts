import { audit } from '@/lib/audit/collection';
import { groupMembers } from '@/lib/groups/members';
import { volumeBackups } from '@/lib/volumes/backups/collection';
import { quotas } from '@/lib/quotas/collection';
import { builds } from '@/lib/images/builds';
import { deployments } from '@/lib/workspaces/deployments';
import { settings } from '@/lib/settings/collection';
import { workspaceLoginPermissions } from '@/lib/workspaces/login-permissions';
import { timeNotices } from '@/lib/notices/collection';
import { newId } from '@/lib/ids';
import type { AnyRow, Collection } from '@/lib/records/collection';
import { StoreReader, write } from '@/lib/records/transaction';
import {
  createDomain,
  createFile,
  createGroup,
  createHost,
  createImage,
  createNetwork,
  createPerson,
  createRecommendation,
  createUser,
  createVolume,
  createWorkspace,
  grantTo,
} from '../setup/world';

/** `holder` has a grant on the resource, or is the one that a grant names. */
export const ROLES = ['guest', 'stranger', 'holder', 'owner', 'admin'] as const;
export type Role = (typeof ROLES)[number];
export const ACTIONS = ['list', 'view', 'create', 'update', 'delete'] as const;
export type Action = (typeof ACTIONS)[number];

/** The people and the resources that records hang on, filled in by `openWorld`. */
const people = {} as Record<Role | 'other', { id: string }>;
let emptyGroup: AnyRow;
const base = {} as Record<'host' | 'image' | 'workspace' | 'volume', AnyRow>;

export interface Scenario {
  /** A fresh record of the owner's; answers it, and who plays a role for it other than the usual person. */
  make(): Promise<{ row: AnyRow; as?: Partial<Record<Role, { id: string }>> }>;
  /** What makes a record where one may. */
  body(): AnyRow;
  /** One changed value. */
  change(): AnyRow;
  may: Record<Action, readonly Role[]>;
}

export const personOf = (role: Role): { id: string } | undefined => (role === 'guest' ? undefined : people[role]);

export async function openWorld(): Promise<void> {
  for (const role of ['stranger', 'holder', 'owner', 'other'] as const) people[role] = await createPerson();
  people.admin = await createPerson({ isAdmin: true });
  const created_by = people.owner.id;
  base.host = await createHost({ created_by });
  base.image = await createImage({ created_by, build_on: base.host.id });
  base.workspace = await createWorkspace({ created_by, host: base.host.id, image: base.image.id });
  base.volume = await createVolume({ created_by, host: base.host.id });
  emptyGroup = await createGroup([]);
  await grantTo(people.holder, 'image', { on: base.image, flags: ['view'] });
  await grantTo(people.holder, 'workspace', { on: base.workspace, flags: ['view'] });
  await grantTo(people.holder, 'volume', { on: base.volume, flags: ['attach'] });
}

const mine = () => ({ created_by: people.owner.id });
const onHost = () => ({ ...mine(), host: base.host.id });
const onImage = () => ({ ...onHost(), image: base.image.id });

const signedIn: readonly Role[] = ['stranger', 'holder', 'owner', 'admin'];
const givers: readonly Role[] = ['owner', 'admin'];
const seen: readonly Role[] = ['holder', 'owner', 'admin'];
const owned = (create: readonly Role[]) => ({ list: seen, view: seen, create, update: givers, delete: givers });
const closed = { list: seen, view: seen, create: [], update: [], delete: [] };
const adminOnly = (readers: readonly Role[]) => {
  const writers: readonly Role[] = ['admin'];
  return { list: readers, view: readers, create: writers, update: writers, delete: writers };
};

type Granted = Parameters<typeof grantTo>[1];

/** A resource on which the holder has one flag. */
function resource(
  kind: Granted,
  flag: string,
  { make, ...rest }: { make: () => Promise<AnyRow>; body: () => AnyRow; change: () => AnyRow; create: readonly Role[] },
): Scenario {
  return {
    body: rest.body,
    change: rest.change,
    may: owned(rest.create),
    async make() {
      const row = await make();
      await grantTo(people.holder, kind, { on: row, flags: [flag] });
      return { row };
    },
  };
}

/** Grants on a resource of the owner's: they are the owner's to give, and the holder's to see. */
function grants(kind: Granted, flag: string, make: () => Promise<AnyRow>): Scenario {
  let on: AnyRow;
  return {
    async make() {
      on = await make();
      return { row: await grantTo(people.holder, kind, { on, flags: [flag] }) };
    },
    body: () => ({ user: people.other.id, [kind]: on.id, [flag]: true }),
    change: () => ({ [kind === 'host' ? 'canCreateImages' : 'modify']: true }),
    may: owned(givers),
  };
}

/** Builds and deployments made so far: each has a number of its own. */
let made = 0;

const insert = async (collection: Collection, values: AnyRow) => ({
  row: (await write((tx) => tx.insert(collection, values as never))) as AnyRow,
});
const makeHost = () => createHost(mine());
const makeImage = () => createImage({ ...mine(), build_on: base.host.id });
const makeWorkspace = () => createWorkspace(onImage());
const makeVolume = () => createVolume(onHost());
const makeNetwork = () => createNetwork(onHost());
const makeFile = () => createFile(mine());
const makeDomain = () => createDomain(onHost());

const password = 'Secret123!';
const named = (values: () => AnyRow) => () => ({ name: `made-${newId()}`, ...values() });

/** One entry a collection: who may do what with a record of it. */
export const scenarios: Record<string, Scenario> = {
  users: {
    async make() {
      const row = await createUser();
      return { row, as: { owner: { id: row.id } } };
    },
    body: () => ({ username: `made_${newId()}`, password, passwordConfirm: password }),
    change: () => ({ name: `changed-${newId()}` }),
    may: { list: signedIn, view: signedIn, create: ['admin'], update: givers, delete: ['admin'] },
  },
  hosts: resource('host', 'view', {
    make: makeHost,
    body: named(() => ({})),
    change: () => ({ name: `changed-${newId()}` }),
    create: [],
  }),
  images: resource('image', 'view', {
    make: makeImage,
    body: named(() => ({ build_on: base.host.id, creationType: 'writeDockerfile', dockerfile: 'FROM scratch\n' })),
    change: () => ({ description: 'changed' }),
    create: givers,
  }),
  workspaces: resource('workspace', 'view', {
    make: makeWorkspace,
    body: named(() => ({ host: base.host.id, image: base.image.id })),
    change: () => ({ description: 'changed' }),
    create: givers,
  }),
  volumes: resource('volume', 'attach', {
    make: makeVolume,
    body: named(() => ({ host: base.host.id })),
    change: () => ({ name: `changed-${newId()}` }),
    create: givers,
  }),
  networks: resource('network', 'attach', {
    make: makeNetwork,
    body: named(() => ({ host: base.host.id })),
    change: () => ({ name: `changed-${newId()}` }),
    create: givers,
  }),
  files: resource('file', 'view', {
    make: makeFile,
    body: named(() => ({ type: 'external', url: 'https://example.org/b' })),
    change: () => ({ description: 'changed' }),
    create: signedIn,
  }),
  domains: resource('domain', 'deploy', {
    make: makeDomain,
    body: () => ({ url: `${newId()}.example.net` }),
    change: () => ({ url: `${newId()}.example.com` }),
    create: ['admin'],
  }),
  host_permissions: grants('host', 'view', makeHost),
  image_permissions: grants('image', 'view', makeImage),
  workspace_permissions: grants('workspace', 'view', makeWorkspace),
  volume_permissions: grants('volume', 'attach', makeVolume),
  network_permissions: grants('network', 'attach', makeNetwork),
  file_permissions: grants('file', 'view', makeFile),
  domain_permissions: grants('domain', 'deploy', makeDomain),
  workspace_login_permissions: {
    make: () => {
      const url = `https://${newId()}.example.org`;
      return insert(workspaceLoginPermissions, { user: people.holder.id, workspace: base.workspace.id, url });
    },
    body: () => ({ user: people.other.id, workspace: base.workspace.id, url: `https://${newId()}.example.org` }),
    change: () => ({ url: `https://${newId()}.example.com` }),
    may: owned(givers),
  },
  groups: {
    make: async () => ({ row: await createGroup([people.holder]) }),
    body: named(() => ({})),
    change: () => ({ description: 'changed' }),
    may: adminOnly(signedIn),
  },
  group_members: {
    async make() {
      const group = await createGroup([people.holder, people.owner]);
      const [row] = new StoreReader().find(groupMembers, { group: String(group.id), user: people.owner.id });
      return { row: row as AnyRow };
    },
    body: () => ({ group: emptyGroup.id, user: people.other.id }),
    change: () => ({ user: people.other.id }),
    may: { list: seen, view: seen, create: ['admin'], update: [], delete: ['admin'] },
  },
  quotas: {
    make: async () => insert(quotas, { user: (await createPerson()).id, cpus: 2 }),
    body: () => ({ group: emptyGroup.id, cpus: 4 }),
    change: () => ({ running: 3 }),
    may: adminOnly(['admin']),
  },
  builds: {
    make: () =>
      insert(builds, { image: base.image.id, host: base.host.id, number: (made += 1), status: 'build_finished' }),
    body: () => ({ image: base.image.id, host: base.host.id, number: 2 }),
    change: () => ({ status: 'build_failed' }),
    may: closed,
  },
  volume_backups: {
    make: () => insert(volumeBackups, { volume: base.volume.id, status: 'done' }),
    body: () => ({ volume: base.volume.id }),
    change: () => ({ status: 'failed' }),
    may: closed,
  },
  deployments: {
    make: () =>
      insert(deployments, { workspace: base.workspace.id, host: base.host.id, number: (made += 1), status: 'done' }),
    body: () => ({ workspace: base.workspace.id, host: base.host.id, number: 2 }),
    change: () => ({ status: 'failed' }),
    may: closed,
  },
  time_notices: {
    make: () => insert(timeNotices, { user: people.owner.id, workspace: base.workspace.id, kind: 'idleStopped' }),
    body: () => ({ user: people.owner.id, kind: 'idleStopped' }),
    change: () => ({ kind: 'deleted' }),
    may: { ...closed, list: ['owner'], view: ['owner'] },
  },
  audit: {
    make: () => insert(audit, { action: 'workspace.start', outcome: 'success' }),
    body: () => ({ action: 'workspace.start' }),
    change: () => ({ outcome: 'failure' }),
    may: { ...closed, list: ['admin'], view: ['admin'] },
  },
  recommendations: {
    make: async () => ({ row: await createRecommendation() }),
    body: named(() => ({ kind: 'image' })),
    change: () => ({ name: `changed-${newId()}` }),
    may: adminOnly(signedIn),
  },
  settings: {
    make: () => insert(settings, { key: newId(), value: { a: 1 } }),
    body: () => ({ key: `made-${newId()}`, value: { a: 1 } }),
    change: () => ({ value: { a: 2 } }),
    may: adminOnly(['admin']),
  },
};
