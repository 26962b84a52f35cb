/** The flags that a permission may hold, in the order in which they are told. */
export const GRANT_FLAGS = [
  'view',
  'deploy',
  'attach',
  'build',
  'modify',
  'delete',
  'canCreateWorkspaces',
  'canCreateImages',
  'canCreateBindMounts',
  'canCreateVolumeMounts',
  'canCreateNetworks',
] as const;
