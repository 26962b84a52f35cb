import { beforeAll, describe, expect, test } from 'vitest';
import { collections } from '@/lib/api/collections';
import { audit } from '@/lib/audit/collection';
import { builds } from '@/lib/images/builds';
import { deployments } from '@/lib/workspaces/deployments';
import { groups } from '@/lib/groups/collection';
import { groupMembers } from '@/lib/groups/members';
import { quotas } from '@/lib/quotas/collection';
import { hostPermissions } from '@/lib/hosts/permissions';
import { hosts } from '@/lib/hosts/collection';
import { imagePermissions } from '@/lib/images/permissions';
import { images } from '@/lib/images/collection';
import { settings } from '@/lib/settings/collection';
import { domainPermissions } from '@/lib/domains/permissions';
import { domains } from '@/lib/domains/collection';
import { filePermissions } from '@/lib/files/permissions';
import { files } from '@/lib/files/collection';
import { networkPermissions } from '@/lib/networks/permissions';
import { networks } from '@/lib/networks/collection';
import { recommendations } from '@/lib/recommendations/collection';
import { users } from '@/lib/accounts/collection';
import { volumePermissions } from '@/lib/volumes/permissions';
import { volumeBackups } from '@/lib/volumes/backups/collection';
import { timeNotices } from '@/lib/notices/collection';
import { volumes } from '@/lib/volumes/collection';
import { workspaceLoginPermissions } from '@/lib/workspaces/login-permissions';
import { workspacePermissions } from '@/lib/workspaces/permissions';
import { workspaces } from '@/lib/workspaces/collection';
import { guest, type Actor } from '@/lib/policies/actor';
import { allows, groundsOf } from '@/lib/policies/evaluate';
import type { Rule } from '@/lib/policies/rules';
import { canFlagsOf } from '@/lib/records/can';
import type { AnyRow, Collection } from '@/lib/records/collection';
import { StoredFacts } from '@/lib/records/facts';
import { listRecords } from '@/lib/records/reader';
import { write } from '@/lib/records/transaction';
import { openPrivateDatabase } from '../setup/database';
import {
  createDomain,
  createFile,
  createGroup,
  createHost,
  createImage,
  createNetwork,
  createPerson,
  createRecommendation,
  createVolume,
  createWorkspace,
  grantTo,
} from '../setup/world';

openPrivateDatabase();

const FLAGS = [
  'view',
  'deploy',
  'build',
  'attach',
  'modify',
  'delete',
  'canCreateImages',
  'canCreateWorkspaces',
] as const;
type Flag = (typeof FLAGS)[number];
/** Holds nothing itself, and is in a group that holds the flag. */
const inGroup = (flag: Flag) => `in ${flag}` as const;
const ROLES = ['guest', 'stranger', 'owner', 'admin', ...FLAGS, ...FLAGS.map(inGroup)] as const;
type Role = (typeof ROLES)[number];

const actors = {} as Record<Role, Actor>;
const rows = {} as Record<string, AnyRow>;

beforeAll(async () => {
  for (const role of ROLES) actors[role] = role === 'guest' ? guest : await createPerson({ isAdmin: role === 'admin' });
  const created_by = idOf('owner');
  rows.hosts = await createHost({ created_by });
  rows.images = await createImage({ created_by, build_on: rows.hosts.id });
  rows.workspaces = await createWorkspace({ created_by, host: rows.hosts.id, image: rows.images.id });
  rows.volumes = await createVolume({ created_by, host: rows.hosts.id });
  rows.networks = await createNetwork({ created_by, host: rows.hosts.id });
  rows.files = await createFile({ created_by });
  rows.domains = await createDomain({ created_by, host: rows.hosts.id });
  rows.recommendations = await createRecommendation();
  const grouped = {} as Record<Flag, AnyRow>;
  for (const flag of FLAGS) {
    await createGroup([{ id: idOf(inGroup(flag)) }]);
    grouped[flag] = await createGroup([{ id: idOf(inGroup(flag)) }, { id: idOf('owner') }]);
  }
  const flags = {
    image: ['view', 'deploy', 'build', 'modify', 'delete'],
    workspace: ['view', 'deploy', 'attach', 'modify', 'delete'],
    host: ['view', 'canCreateImages', 'canCreateWorkspaces'],
    volume: ['attach', 'modify', 'delete'],
    network: ['attach', 'modify', 'delete'],
    file: ['view', 'modify', 'delete'],
    domain: ['deploy', 'modify', 'delete'],
  };
  for (const [kind, names] of Object.entries(flags)) {
    for (const flag of names) {
      const on = rows[`${kind}s`]!;
      const row = await grantTo({ id: idOf(flag as Role) }, kind as 'host', { on, flags: [flag] });
      if (flag === names[0]) rows[`${kind}_permissions`] = row;
      shared.push([`${kind}_permissions`, flag as Flag, await shareWith(grouped[flag as Flag], kind, { on, flag })]);
    }
  }
  await write((tx) => {
    rows.builds = tx.insert(builds, { image: String(rows.images!.id), number: 1 } as never);
    rows.volume_backups = tx.insert(volumeBackups, { volume: String(rows.volumes!.id), status: 'done' });
    rows.deployments = tx.insert(deployments, { workspace: String(rows.workspaces!.id), number: 1 } as never);
    rows.time_notices = tx.insert(timeNotices, { user: idOf('owner'), workspace: String(rows.workspaces!.id) });
    const login = { user: idOf('view'), workspace: String(rows.workspaces!.id), url: 'a.example.org' };
    rows.workspace_login_permissions = tx.insert(workspaceLoginPermissions, login);
    const byGroup = { ...login, user: '', group: String(grouped.view.id) };
    shared.push(['workspace_login_permissions', 'view', tx.insert(workspaceLoginPermissions, byGroup)]);
    rows.groups = grouped.view;
    rows.group_members = tx.find(groupMembers, { group: byGroup.group, user: idOf('owner') })[0]!;
    rows.quotas = tx.insert(quotas, { user: idOf('owner'), cpus: 2 });
    rows.audit = tx.insert(audit, { action: 'settings.update' });
    rows.settings = tx.insert(settings, { key: 'cache', value: {} } as never);
  });
  rows.users = { id: idOf('owner') };
});

/** Permissions of groups: the collection, the flag that they hold, and the record. */
const shared: [collection: string, flag: Flag, row: AnyRow][] = [];

function shareWith(group: AnyRow, kind: string, { on, flag }: { on: AnyRow; flag: string }): Promise<AnyRow> {
  return grantTo({ group }, kind as 'host', { on, flags: [flag] });
}

/** Whoever is in a group may do with a resource what the group may; permission records are another matter. */
function withGroups({ name }: Collection, roles: readonly string[]): string[] {
  if (name.endsWith('_permissions')) return [...roles];
  return [...new Set([...roles, ...FLAGS.filter((flag) => roles.includes(flag)).map(inGroup)])];
}

function idOf(role: Role): string {
  const actor = actors[role];
  return actor.kind === 'user' ? actor.id : '';
}

const visibleImage = ['owner', 'admin', 'view', 'deploy', 'build', 'modify', 'delete'];
const visibleWorkspace = ['owner', 'admin', 'view', 'deploy', 'attach', 'modify', 'delete'];
const visibleHost = ['owner', 'admin', 'view', 'canCreateImages', 'canCreateWorkspaces'];
const signed = ROLES.filter((role) => role !== 'guest');
const givers = ['owner', 'admin'];
const attachable = {
  list: [...givers, 'attach', 'modify', 'delete'],
  view: [...givers, 'attach', 'modify', 'delete'],
  create: signed,
  update: [...givers, 'modify'],
  delete: [...givers, 'delete'],
  'can.view': [...givers, 'attach', 'modify', 'delete'],
  'can.attach': [...givers, 'attach'],
  'can.modify': [...givers, 'modify'],
  'can.delete': [...givers, 'delete'],
  'can.share': givers,
};
const grantedTo = (holder: Role) => ({
  list: [...givers, holder],
  view: [...givers, holder],
  create: givers,
  update: givers,
  delete: givers,
  'can.view': [...givers, holder],
  'can.modify': givers,
  'can.delete': givers,
});

/** Per collection and action, everyone who may; all others may not. */
const grid: [Collection, Record<string, readonly string[]>][] = [
  [
    hosts,
    {
      list: visibleHost,
      view: visibleHost,
      create: [],
      update: givers,
      delete: givers,
      'can.view': visibleHost,
      'can.modify': givers,
      'can.delete': givers,
      'can.canCreateImages': [...givers, 'canCreateImages'],
      'can.canCreateWorkspaces': [...givers, 'canCreateWorkspaces'],
      'can.canCreateBindMounts': givers,
      'can.canCreateNetworks': givers,
      'can.canCreateVolumeMounts': givers,
      'can.share': givers,
      'can.openTerminal': ['admin'],
    },
  ],
  [
    images,
    {
      list: visibleImage,
      view: visibleImage,
      create: signed,
      update: [...givers, 'modify'],
      delete: [...givers, 'delete'],
      'can.view': visibleImage,
      'can.deploy': [...givers, 'deploy'],
      'can.build': [...givers, 'build'],
      'can.modify': [...givers, 'modify'],
      'can.delete': [...givers, 'delete'],
      'can.share': givers,
    },
  ],
  [
    workspaces,
    {
      list: visibleWorkspace,
      view: visibleWorkspace,
      create: signed,
      update: [...givers, 'modify'],
      delete: [...givers, 'delete'],
      'can.view': visibleWorkspace,
      'can.deploy': [...givers, 'deploy'],
      'can.attach': [...givers, 'attach'],
      'can.modify': [...givers, 'modify'],
      'can.delete': [...givers, 'delete'],
      'can.share': givers,
    },
  ],
  [hostPermissions, grantedTo('view')],
  [imagePermissions, grantedTo('view')],
  [workspacePermissions, grantedTo('view')],
  [
    builds,
    {
      list: visibleImage,
      view: visibleImage,
      create: [],
      update: [],
      delete: [],
      'can.view': visibleImage,
      'can.cancel': [...givers, 'build'],
    },
  ],
  [
    volumeBackups,
    {
      list: [...givers, 'attach'],
      view: [...givers, 'attach'],
      create: [],
      update: [],
      delete: [],
      'can.view': [...givers, 'attach'],
      'can.download': [...givers, 'attach'],
      'can.restore': [...givers, 'modify'],
      'can.delete': [...givers, 'modify'],
    },
  ],
  [
    deployments,
    {
      list: visibleWorkspace,
      view: visibleWorkspace,
      create: [],
      update: [],
      delete: [],
      'can.view': visibleWorkspace,
    },
  ],
  [timeNotices, { list: ['owner'], view: ['owner'], create: [], update: [], delete: [], 'can.view': ['owner'] }],
  [audit, { list: ['admin'], view: ['admin'], create: [], update: [], delete: [], 'can.view': ['admin'] }],
  [
    settings,
    {
      list: ['admin'],
      view: ['admin'],
      create: ['admin'],
      update: ['admin'],
      delete: ['admin'],
      'can.view': ['admin'],
      'can.modify': ['admin'],
      'can.delete': ['admin'],
    },
  ],
  [
    quotas,
    {
      list: ['admin'],
      view: ['admin'],
      create: ['admin'],
      update: ['admin'],
      delete: ['admin'],
      'can.view': ['admin'],
      'can.modify': ['admin'],
      'can.delete': ['admin'],
    },
  ],
  [volumes, attachable],
  [networks, attachable],
  [
    files,
    {
      list: [...givers, 'view', 'modify', 'delete'],
      view: [...givers, 'view', 'modify', 'delete'],
      create: signed,
      update: [...givers, 'modify'],
      delete: [...givers, 'delete'],
      'can.view': [...givers, 'view', 'modify', 'delete'],
      'can.modify': [...givers, 'modify'],
      'can.delete': [...givers, 'delete'],
      'can.share': givers,
    },
  ],
  [
    domains,
    {
      list: [...givers, 'deploy', 'modify', 'delete'],
      view: [...givers, 'deploy', 'modify', 'delete'],
      create: ['admin'],
      update: [...givers, 'modify'],
      delete: [...givers, 'delete'],
      'can.view': [...givers, 'deploy', 'modify', 'delete'],
      'can.deploy': [...givers, 'deploy'],
      'can.modify': [...givers, 'modify'],
      'can.delete': [...givers, 'delete'],
      'can.diagnose': [...givers, 'deploy', 'modify'],
      'can.share': givers,
    },
  ],
  [volumePermissions, grantedTo('attach')],
  [networkPermissions, grantedTo('attach')],
  [filePermissions, grantedTo('view')],
  [domainPermissions, grantedTo('deploy')],
  [workspaceLoginPermissions, grantedTo('view')],
  [
    groups,
    {
      list: signed,
      view: signed,
      create: ['admin'],
      update: ['admin'],
      delete: ['admin'],
      'can.view': signed,
      'can.modify': ['admin'],
      'can.delete': ['admin'],
    },
  ],
  [
    groupMembers,
    {
      list: [...givers, 'in view'],
      view: [...givers, 'in view'],
      create: ['admin'],
      update: [],
      delete: ['admin'],
      'can.view': [...givers, 'in view'],
      'can.delete': ['admin'],
    },
  ],
  [
    recommendations,
    {
      list: signed,
      view: signed,
      create: ['admin'],
      update: ['admin'],
      delete: ['admin'],
      'can.view': signed,
      'can.modify': ['admin'],
      'can.delete': ['admin'],
    },
  ],
  [
    users,
    {
      list: signed,
      view: signed,
      create: ['admin'],
      update: ['admin', 'owner'],
      delete: ['admin'],
      'can.view': signed,
      'can.modify': ['admin', 'owner'],
      'can.delete': ['admin'],
      'can.manage': ['admin'],
    },
  ],
];

describe.each(grid.map(([collection, expected]) => ({ name: collection.name, collection, expected })))(
  '$name',
  ({ collection, expected }) => {
    test('states every cell', () => {
      const acts = Object.keys(collection.policy.can).map((act) => `can.${act}`);
      expect(Object.keys(expected).sort()).toEqual([...['list', 'view', 'create', 'update', 'delete'], ...acts].sort());
    });

    test.each(Object.keys(expected))('%s is open to whom it should be', (action) => {
      const { policy } = collection;
      const rule = action.startsWith('can.') ? policy.can[action.slice(4)]! : policy[action as 'list'];
      const allowed = ROLES.filter((role) => allows(rule, actors[role], rows[collection.name]!, new StoredFacts()));
      expect(allowed.sort()).toEqual(withGroups(collection, expected[action]!).sort());
    });

    test('a list as SQL agrees with the rule record by record', () => {
      const id = rows[collection.name]!.id;
      const filter = `id = '${String(id)}'`;
      const seen = ROLES.filter((role) => listRecords(collection, actors[role], { filter }).items.length === 1);
      expect(seen.sort()).toEqual(withGroups(collection, expected.list!).sort());
    });

    test('flags read ahead agree with the rule record by record', () => {
      const row = rows[collection.name]!;
      for (const role of ROLES) {
        const [flags] = canFlagsOf(collection, [row], actors[role]);
        for (const [act, rule] of Object.entries(collection.policy.can)) {
          expect([role, act, flags![act]]).toEqual([role, act, allows(rule, actors[role], row, new StoredFacts())]);
        }
      }
    });
  },
);

test('a permission of a group is seen by its members and set by whoever may give it', () => {
  expect(shared).toHaveLength(26);
  for (const [name, flag, row] of shared) {
    const collection = collections.find((each) => each.name === name) as unknown as Collection;
    const seen = ROLES.filter((role) => allows(collection.policy.view, actors[role], row, new StoredFacts()));
    const listed = ROLES.filter((role) => {
      return listRecords(collection, actors[role], { filter: `id = '${String(row.id)}'` }).items.length === 1;
    });
    const set = ROLES.filter((role) => allows(collection.policy.update, actors[role], row, new StoredFacts()));
    expect([name, flag, seen.toSorted()]).toEqual([name, flag, [...givers, inGroup(flag)].sort()]);
    expect([name, flag, listed]).toEqual([name, flag, seen]);
    expect([name, flag, set]).toEqual([name, flag, givers]);
  }
});

test('the grounds of a rule are there where it holds, and nowhere else', () => {
  for (const [collection] of grid) {
    const row = rows[collection.name]!;
    for (const rule of Object.values<Rule>({ ...collection.policy.can, update: collection.policy.update })) {
      for (const role of ROLES) {
        const grounds = groundsOf(rule, actors[role], row, new StoredFacts());
        const isOpen = allows(rule, actors[role], row, new StoredFacts());
        expect([collection.name, role, grounds.length > 0]).toEqual([collection.name, role, isOpen]);
      }
    }
  }
});

test('every collection has its grid', () => {
  expect(grid.map(([{ name }]) => name).sort()).toEqual(collections.map(({ name }) => name).sort());
});
