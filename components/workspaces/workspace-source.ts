'use client';

import { useQuery } from '@tanstack/react-query';
import { api, ready } from '@/components/data/client';
import type { Collections, WorkspaceRecord } from '@/components/data/types';
import { allOf, fieldHas, fieldIs } from '@/components/records/search/filter-text';
import { freeName, stemOf } from '@/lib/vocabulary/free-name';
import { toValues } from './workspace-body';
import type { WorkspaceValues } from './workspace-schema';

type Login = Collections['workspace_login_permissions'];

/** What a new workspace or template is made from. */
export interface WorkspaceSource {
  record: WorkspaceRecord;
  icon: File | undefined;
  /** Who may log in at its addresses, as far as the viewer may see. */
  logins: Login[];
  /** A name that is free on the host. */
  name: string;
}

const MOST = 500;

/** The workspace or template that the address names, with all that goes over to what is made from it. */
export function useWorkspaceSource(id: string) {
  return useQuery({
    queryKey: ['workspace-source', id],
    queryFn: () => readSource(id),
    enabled: id !== '',
    retry: false,
    // What is typed begins with it once; it is not followed.
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

async function readSource(id: string): Promise<WorkspaceSource> {
  const pb = await ready();
  const record = await pb.collection('workspaces').getOne<WorkspaceRecord>(id, { can: 1 });
  const [icon, logins, names] = await Promise.all([
    readIcon(record),
    pb.collection('workspace_login_permissions').getList<Login>(1, MOST, {
      filter: fieldIs('workspace', id),
      expand: 'user,group',
    }),
    pb.collection('workspaces').getList<WorkspaceRecord>(1, MOST, {
      filter: allOf(fieldIs('host', record.host), fieldHas('name', stemOf(record.name))),
      fields: 'name',
    }),
  ]);
  return {
    record,
    icon,
    logins: logins.items,
    name: await findFreeName(
      record,
      names.items.map(({ name }) => name),
    ),
  };
}

const MOST_TRIES = 20;

/** Others may have taken names that the viewer doesn't see: the console knows. */
async function findFreeName({ name, host, image }: WorkspaceRecord, seen: readonly string[]): Promise<string> {
  const taken = [...seen];
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const next = freeName(name, taken);
    const body = { name: next, host, image, portMappings: [] };
    const { problems } = await (
      await ready()
    ).send<{ problems: { field: string; code: string }[] }>('/api/workspaces/check', { method: 'POST', body });
    if (!problems.some(({ field, code }) => field === 'name' && code === 'validation_not_unique')) return next;
    taken.push(next);
  }
  return freeName(name, taken);
}

/** The picture as a file to send again; none where it can't be had. */
async function readIcon(record: WorkspaceRecord): Promise<File | undefined> {
  if (!record.icon) return undefined;
  const url = api().files.getUrl({ id: record.id, collectionName: 'workspaces' }, record.icon);
  const answer = await fetch(url).catch(() => undefined);
  if (!answer?.ok) return undefined;
  const blob = await answer.blob();
  return new File([blob], record.icon, { type: blob.type });
}

/** Whether the console hands the secret values of the source over to what the viewer makes from it. */
export function givesSecrets({ template, can }: WorkspaceRecord): boolean {
  return can?.[template ? 'deploy' : 'modify'] === true;
}

/** The form of something new that is like its source: of a workspace that runs itself, the host ports are left open. */
export function valuesFrom({ record, icon, name }: WorkspaceSource, isTemplate: boolean): WorkspaceValues {
  const values = toValues(record);
  const isKept = givesSecrets(record);
  return {
    ...values,
    name,
    icon,
    portMappings: values.portMappings.map((port) => ({ ...port, hostPort: record.template ? port.hostPort : '' })),
    externalUrls: carriesAddresses(record, isTemplate)
      ? values.externalUrls.map((url) => ({ ...url, users: url.users.map((user) => ({ ...user, isKept })) }))
      : [],
    environmentVariables: values.environmentVariables.map((row) => ({ ...row, isKept: row.secret && isKept })),
  };
}

/** A workspace keeps its addresses for itself; a template has them for what is made from it. */
export function carriesAddresses(record: WorkspaceRecord, isTemplate: boolean): boolean {
  return record.template || isTemplate;
}
