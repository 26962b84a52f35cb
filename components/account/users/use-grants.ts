'use client';

import { useQueries } from '@tanstack/react-query';
import { ready } from '@/components/data/client';
import { recordKeys } from '@/components/data/records';
import type { CollectionName, PermissionRecord } from '@/components/data/types';
import { GRANT_FLAGS } from '@/components/records/grant-flags';
import { paths } from '@/lib/paths';

/** The kinds of permission: their collection, the field of their resource, their flags, and where the resource is shown. */
export const grantKinds = [
  { key: 'workspaces', collection: 'workspace_permissions', field: 'workspace', link: paths.workspace },
  { key: 'logins', collection: 'workspace_login_permissions', field: 'workspace', link: paths.workspace },
  { key: 'images', collection: 'image_permissions', field: 'image', link: paths.image },
  { key: 'hosts', collection: 'host_permissions', field: 'host', link: paths.host },
  { key: 'volumes', collection: 'volume_permissions', field: 'volume', link: paths.volume },
  { key: 'networks', collection: 'network_permissions', field: 'network', link: paths.network },
  { key: 'domains', collection: 'domain_permissions', field: 'domain', link: paths.domain },
  { key: 'files', collection: 'file_permissions', field: 'file', link: paths.file },
] as const satisfies readonly {
  key: string;
  collection: CollectionName;
  field: string;
  link: ((id: string, tab?: string) => string) | undefined;
}[];

export interface Grant {
  id: string;
  name: string;
  href: string | undefined;
  flags: (typeof GRANT_FLAGS)[number][];
  /** Of a log-in permission: the address it opens. */
  url: string;
  created: string;
}

/** Who holds them. */
export type GrantHolder = { user: string } | { group: string };

export interface GrantGroup {
  key: (typeof grantKinds)[number]['key'];
  grants: Grant[];
}

/** Everything that a person or a group was granted, by kind; kinds without a grant are left out. */
export function useGrants(holder: GrantHolder) {
  const [[field = '', id = ''] = []] = Object.entries(holder);
  const filter = `${field} = '${id}'`;
  return useQueries({
    queries: grantKinds.map(({ collection, field: expand }) => ({
      queryKey: recordKeys.all(collection, { filter, expand }),
      queryFn: async (): Promise<PermissionRecord[]> => {
        const options = { filter, expand, sort: '-created' };
        return (await ready()).collection(collection).getFullList<PermissionRecord>(options);
      },
    })),
    combine: (results) => ({
      isPending: results.some((result) => result.isPending),
      error: results.find((result) => result.error)?.error ?? null,
      refetch: () => results.forEach((result) => void result.refetch()),
      groups: grantKinds
        .map((kind, index): GrantGroup => ({
          key: kind.key,
          grants: (results[index]?.data ?? []).map((record) => toGrant(record, kind)),
        }))
        .filter((group) => group.grants.length > 0),
    }),
  });
}

function toGrant(record: PermissionRecord, { field, link }: (typeof grantKinds)[number]): Grant {
  const resource = record.expand?.[field] as { name?: string; url?: string } | undefined;
  const resourceId = String(record[field]);
  return {
    id: record.id,
    name: resource?.name || resource?.url || resourceId,
    href: link?.(resourceId, 'permissions'),
    flags: GRANT_FLAGS.filter((flag) => record[flag] === true),
    url: typeof record['url'] === 'string' ? record['url'] : '',
    created: record.created,
  };
}
