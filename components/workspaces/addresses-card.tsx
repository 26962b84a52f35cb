'use client';

import { ExternalLink, Lock, LockOpen } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useTranslations } from 'next-intl';
import { useRecordIfAny } from '@/components/data/records';
import type { WorkspaceRecord } from '@/components/data/types';
import { CopyButton } from '@/components/ui/copy-button';
import { Card, Tag } from '@/components/ui/parts';

const AddressDoctor = dynamic(() => import('./address-doctor').then((module) => module.AddressDoctor));

type Url = NonNullable<WorkspaceRecord['externalUrls']>[number];

/** The addresses of a workspace as links, with who is let in there; nothing where it has none. */
export function AddressesCard({ workspace }: { workspace: WorkspaceRecord }) {
  const t = useTranslations('pages.workspaces.addresses');
  const urls = workspace.externalUrls ?? [];
  if (urls.length === 0) return null;
  return (
    <Card title={t('title')}>
      <ul className="divide-line divide-y">
        {urls.map((url, index) => (
          <AddressLine key={index} url={url} workspace={workspace} />
        ))}
      </ul>
    </Card>
  );
}

function AddressLine({ url, workspace }: { url: Url; workspace: WorkspaceRecord }) {
  const t = useTranslations('pages.workspaces.addresses');
  const common = useTranslations('common');
  const domain = useRecordIfAny('domains', url.domain);
  const isOpen = url.authentication === 'none';
  const Icon = isOpen ? LockOpen : Lock;
  const name = domain && [url.subdomain, domain.url].filter(Boolean).join('.');
  const address = name && `${url.scheme}://${name}`;
  return (
    <li className="text-table flex min-h-10 flex-wrap items-center gap-2.5 px-3.5 py-1">
      <Icon className="text-text-3 size-3.5 shrink-0" aria-hidden="true" />
      {address ? (
        <a
          href={address}
          target="_blank"
          rel="noreferrer"
          className="mono text-accent-text flex min-w-0 items-center gap-1.5 rounded-sm hover:underline"
        >
          <span className="truncate">{address}</span>
          <ExternalLink className="size-3.5 shrink-0" aria-hidden="true" />
        </a>
      ) : (
        <span className="text-text-3">{common('ask.hidden')}</span>
      )}
      <span className="text-text-3">{t('toPort', { port: url.port })}</span>
      <Tag>{t(`by.${url.authentication}`)}</Tag>
      {workspace.status !== 'running' && <Tag tone="warn">{t('notUp')}</Tag>}
      {address && (
        <span className="ml-auto">
          <CopyButton isIcon text={() => address} label={t('copy')} copiedLabel={common('actions.copied')} />
        </span>
      )}
      {name && workspace.can?.['modify'] === true && <AddressDoctor workspaceId={workspace.id} name={name} />}
    </li>
  );
}
