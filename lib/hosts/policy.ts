import { admin, anyGrant, anyOf, grant, nobody, owner, type Policy } from '@/lib/policies/rules';

const visible = anyOf(admin, owner, anyGrant('hosts'));
const ownerOrAdmin = anyOf(admin, owner);

export type HostAct =
  | 'view'
  | 'modify'
  | 'delete'
  | 'share'
  | 'openTerminal'
  | 'canCreateImages'
  | 'canCreateWorkspaces'
  | 'canCreateBindMounts'
  | 'canCreateNetworks'
  | 'canCreateVolumeMounts';

/** Hosts join through their agent, so nobody creates one over the API. */
export const hostsPolicy: Policy<HostAct> = {
  list: visible,
  view: visible,
  create: nobody,
  update: ownerOrAdmin,
  delete: ownerOrAdmin,
  can: {
    view: visible,
    modify: ownerOrAdmin,
    delete: ownerOrAdmin,
    share: ownerOrAdmin,
    /** A shell of the agent's user is more than the right to change a host. */
    openTerminal: admin,
    canCreateImages: anyOf(admin, owner, grant('hosts', 'canCreateImages')),
    canCreateWorkspaces: anyOf(admin, owner, grant('hosts', 'canCreateWorkspaces')),
    canCreateBindMounts: anyOf(admin, owner, grant('hosts', 'canCreateBindMounts')),
    canCreateNetworks: anyOf(admin, owner, grant('hosts', 'canCreateNetworks')),
    canCreateVolumeMounts: anyOf(admin, owner, grant('hosts', 'canCreateVolumeMounts')),
  },
};
