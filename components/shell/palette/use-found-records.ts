'use client';

import { api } from '@/components/data/client';
import { useRecordList } from '@/components/data/records';
import { useSettled } from '@/components/data/use-settled';
import type { HostRecord, ImageRecord, UserRecord, WorkspaceRecord } from '@/components/data/types';

export interface FoundRecords {
  workspaces: WorkspaceRecord[];
  images: ImageRecord[];
  hosts: HostRecord[];
  users: UserRecord[];
  isSearching: boolean;
}

/** Records whose name holds the text, a moment after the typing paused; without text the workspaces that changed last. */
export function useFoundRecords(text: string): FoundRecords {
  const search = useSettled(text.trim());
  const hasText = search !== '';
  const matches = (...fields: string[]) =>
    hasText ? api().filter(`(${fields.map((field) => `${field} ~ {:search}`).join(' || ')})`, { search }) : '';
  const notTemplate = (filter: string) => ['template = false', filter].filter(Boolean).join(' && ');
  const page = { page: 1, perPage: 5, sort: '-updated' };
  const whenTyped = { isEnabled: hasText };
  const workspaces = useRecordList('workspaces', {
    ...page,
    filter: notTemplate(matches('name')),
    expand: 'image,host',
  });
  const images = useRecordList('images', { ...page, filter: notTemplate(matches('name', 'repository')) }, whenTyped);
  const hosts = useRecordList('hosts', { ...page, filter: matches('name') }, whenTyped);
  const users = useRecordList('users', { ...page, filter: matches('name', 'username') }, whenTyped);
  // What an earlier text found is still in sight while the next answer is on its way.
  const typed = text.trim().toLowerCase();
  const fits = (...names: string[]) => names.some((name) => name.toLowerCase().includes(typed));
  const ofTyped = <Row>(rows: Row[] | undefined): Row[] => (hasText && typed ? (rows ?? []) : []);
  return {
    workspaces: (workspaces.data?.items ?? []).filter(({ name }) => fits(name)),
    images: ofTyped(images.data?.items).filter(({ name, repository }) => fits(name, repository)),
    hosts: ofTyped(hosts.data?.items).filter(({ name }) => fits(name)),
    users: ofTyped(users.data?.items).filter(({ name, username }) => fits(name, username)),
    isSearching: search !== text.trim() || [workspaces, images, hosts, users].some((query) => query.isFetching),
  };
}
