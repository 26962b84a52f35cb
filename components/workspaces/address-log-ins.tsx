'use client';

import { Trash2 } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { ready } from '@/components/data/client';
import { useFirstRecords, useIsMissing, useRecordIfAny, useRefresh } from '@/components/data/records';
import type { Collections, WorkspaceRecord } from '@/components/data/types';
import { useTell } from '@/components/data/use-tell';
import { GroupMark } from '@/components/records/group-mark';
import { AddHolder } from '@/components/records/permission-pickers';
import { displayName, PersonAvatar } from '@/components/records/person';
import { ShowMore } from '@/components/records/show-more';
import { IconButton } from '@/components/ui/button';
import { Card, Skeleton } from '@/components/ui/parts';
import { protectedAddresses, type ExternalUrl } from './protected-addresses';

const PERMISSIONS = 'workspace_login_permissions';

/** Who may open the addresses of a workspace that ask for a log-in. */
export function AddressLogIns({ workspace }: { workspace: WorkspaceRecord }) {
  const t = useTranslations('pages.workspaces.logIns');
  return (
    <div className="grid max-w-[760px] gap-3.5">
      <p className="text-table text-text-2">{t('text')}</p>
      {protectedAddresses(workspace).map((url) => (
        <Address key={`${url.scheme} ${url.subdomain} ${url.domain}`} workspace={workspace} url={url} />
      ))}
    </div>
  );
}

function Address({ workspace, url }: { workspace: WorkspaceRecord; url: ExternalUrl }) {
  const t = useTranslations('pages.workspaces.logIns');
  const domain = useRecordIfAny('domains', url.domain);
  const isHidden = useIsMissing('domains', url.domain);
  if (isHidden) return <p className="text-table text-text-2">{t('hidden')}</p>;
  if (!domain) return <Skeleton className="h-24" />;
  const address = `${url.scheme}://${url.subdomain ? `${url.subdomain}.` : ''}${domain.url}`;
  return (
    <Card title={address}>
      <People workspace={workspace} address={address} label={t('people', { address })} />
    </Card>
  );
}

const nameOf = (expand: Collections['workspace_login_permissions']['expand']) =>
  expand?.user ? displayName(expand.user) : (expand?.group?.name ?? '–');

function People({ workspace, address, label }: { workspace: WorkspaceRecord; address: string; label: string }) {
  const t = useTranslations('pages.workspaces.logIns');
  const tell = useTell();
  const refresh = useRefresh();
  const filter = `workspace = '${workspace.id}' && url = '${address}'`;
  const held = useFirstRecords(PERMISSIONS, { filter, sort: 'created', expand: 'user,group' }, { step: 50 });

  async function change(work: () => Promise<unknown>) {
    try {
      await work();
    } catch (error) {
      tell.failed(t('failed'), error);
    }
    await refresh(PERMISSIONS);
  }
  const add = async (kind: 'user' | 'group', id: string) =>
    (await ready()).collection(PERMISSIONS).create({ [kind]: id, workspace: workspace.id, url: address });
  const remove = async (id: string) => (await ready()).collection(PERMISSIONS).delete(id);

  if (held.isPending) return <Skeleton className="m-3.5 h-10" />;
  return (
    <>
      {held.error && <p className="text-table text-bad-text px-3.5 pb-3">{t('unknown')}</p>}
      {!held.error && held.items.length === 0 && <p className="text-table text-text-2 px-3.5 pb-2">{t('nobody')}</p>}
      <ul aria-label={label} className="divide-line divide-y">
        {held.items.map(({ id, group, expand }) => (
          <li key={id} className="text-table flex min-h-11 items-center gap-2.5 px-3.5 py-1.5">
            {expand?.user && <PersonAvatar user={expand.user} size="md" />}
            {group !== '' && <GroupMark />}
            <span className="min-w-0 truncate font-medium">{nameOf(expand)}</span>
            <IconButton
              size="sm"
              className="ml-auto"
              label={t('remove', { name: nameOf(expand) })}
              onClick={() => void change(() => remove(id))}
            >
              <Trash2 className="size-4" />
            </IconButton>
          </li>
        ))}
      </ul>
      <ShowMore onClick={held.showMore} />
      <div className="p-2">
        <AddHolder
          creatorId={workspace.created_by}
          held={held.items.map(({ user, group }) => user || group)}
          onAdd={(kind, id) => void change(() => add(kind, id))}
        />
      </div>
    </>
  );
}
