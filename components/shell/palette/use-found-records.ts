'use client';

import { useRecordList } from '@/components/data/records';
import { NO_TEMPLATE } from '@/components/data/templates';
import { useSettled } from '@/components/data/use-settled';
import type { HostRecord, ImageRecord, UserRecord, WorkspaceRecord } from '@/components/data/types';
import { allOf, searchFilter } from '@/components/records/search/filter-text';
import { paths } from '@/lib/paths';

export interface FoundGroup {
  area: 'volumes' | 'networks' | 'domains' | 'files';
  rows: { id: string; name: string; href: string; detail: string | undefined }[];
}

export interface FoundRecords {
  workspaces: WorkspaceRecord[];
  images: ImageRecord[];
  hosts: HostRecord[];
  users: UserRecord[];
  /** Of each other area, what is named so. */
  others: FoundGroup[];
  isSearching: boolean;
}

interface Named {
  id: string;
  name?: string;
  url?: string;
  expand?: { host?: HostRecord; created_by?: UserRecord };
}

/** Records whose name holds the text, a moment after the typing paused; without text the workspaces that changed last. */
export function useFoundRecords(text: string): FoundRecords {
  const search = useSettled(text.trim());
  const hasText = search !== '';
  const matches = (...fields: string[]) => searchFilter(fields, search);
  const page = { page: 1, perPage: 5, sort: '-updated' };
  const whenTyped = { isEnabled: hasText };
  const workspaces = useRecordList('workspaces', {
    ...page,
    filter: allOf(NO_TEMPLATE, matches('name')),
    expand: 'image,host',
  });
  const images = useRecordList(
    'images',
    { ...page, filter: allOf(NO_TEMPLATE, matches('name', 'repository')) },
    whenTyped,
  );
  const hosts = useRecordList('hosts', { ...page, filter: matches('name') }, whenTyped);
  const users = useRecordList('users', { ...page, filter: matches('name', 'username') }, whenTyped);
  const volumes = useRecordList('volumes', { ...page, filter: matches('name'), expand: 'host' }, whenTyped);
  const networks = useRecordList('networks', { ...page, filter: matches('name'), expand: 'host' }, whenTyped);
  const domains = useRecordList('domains', { ...page, filter: matches('url'), expand: 'host' }, whenTyped);
  const files = useRecordList('files', { ...page, filter: matches('name') }, whenTyped);
  // What an earlier text found is still in sight while the next answer is on its way.
  const typed = text.trim().toLowerCase();
  const fits = (...names: string[]) => names.some((name) => name.toLowerCase().includes(typed));
  const ofTyped = <Row>(rows: Row[] | undefined): Row[] => (hasText && typed ? (rows ?? []) : []);
  const rowsOf = (found: Named[] | undefined, href: (id: string) => string): FoundGroup['rows'] =>
    ofTyped(found)
      .map((row) => ({
        id: row.id,
        name: row.name ?? row.url ?? '',
        href: href(row.id),
        detail: row.expand?.host?.name,
      }))
      .filter(({ name }) => fits(name));
  return {
    workspaces: (workspaces.data?.items ?? []).filter(({ name }) => fits(name)),
    images: ofTyped(images.data?.items).filter(({ name, repository }) => fits(name, repository)),
    hosts: ofTyped(hosts.data?.items).filter(({ name }) => fits(name)),
    users: ofTyped(users.data?.items).filter(({ name, username }) => fits(name, username)),
    others: [
      { area: 'volumes', rows: rowsOf(volumes.data?.items, paths.volume) },
      { area: 'networks', rows: rowsOf(networks.data?.items, paths.network) },
      { area: 'domains', rows: rowsOf(domains.data?.items, paths.domain) },
      { area: 'files', rows: rowsOf(files.data?.items, paths.file) },
    ],
    isSearching:
      search !== text.trim() ||
      [workspaces, images, hosts, users, volumes, networks, domains, files].some((query) => query.isFetching),
  };
}
