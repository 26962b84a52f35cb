/** Shapes of an image's JSON fields. */
export interface PackageEntry {
  manager: 'conda' | 'pypi';
  channel: string;
  name: string;
  constraint: 'exactly' | 'minimum' | 'maximum' | 'exclude' | 'compatible' | 'unconstrained' | 'custom';
  version: string;
}

export interface ImageEnvironment {
  name: string;
  manager: 'conda' | 'pypi';
  channels: { name: string; isUserGenerated: boolean }[];
  packages: PackageEntry[];
}

export interface StartupCommand {
  command: string;
  environment: string | null;
}

export interface UserConfiguration {
  isAdded: boolean;
  uid: number | null;
  name: string;
  gid: number | null;
  group: string;
}

export const CREATION_TYPES = ['generateDockerfile', 'writeDockerfile', 'pullAnImage'] as const;
export type CreationType = (typeof CREATION_TYPES)[number];
