import type { WorkspaceRecord } from '@/components/data/types';

export type ExternalUrl = NonNullable<WorkspaceRecord['externalUrls']>[number];

/** The addresses of a workspace that ask the console who comes. */
export function protectedAddresses({ externalUrls }: Pick<WorkspaceRecord, 'externalUrls'>): ExternalUrl[] {
  return (externalUrls ?? []).filter(({ authentication }) => authentication === 'internal');
}

export function hasProtectedAddress(workspace: Pick<WorkspaceRecord, 'externalUrls'>): boolean {
  return protectedAddresses(workspace).length > 0;
}
