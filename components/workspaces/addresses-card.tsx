'use client';

import { ExternalLink, Lock, LockOpen } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useRecordIfAny } from '@/components/data/records';
import type { WorkspaceRecord } from '@/components/data/types';
import { CopyButton } from '@/components/ui/copy-button';
import { Card, Tag } from '@/components/ui/parts';

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
          <AddressLine key={index} url={url} isUp={workspace.status === 'running'} />
        ))}
      </ul>
    </Card>
  );
}

function AddressLine({ url, isUp }: { url: Url; isUp: boolean }) {
  const t = useTranslations('pages.workspaces.addresses');
  const common = useTranslations('common');
  const domain = useRecordIfAny('domains', url.domain);
  const isOpen = url.authentication === 'none';
  const Icon = isOpen ? LockOpen : Lock;
  const address = domain && `${url.scheme}://${[url.subdomain, domain.url].filter(Boolean).join('.')}`;
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
      {!isUp && <Tag tone="warn">{t('notUp')}</Tag>}
      {address && (
        <span className="ml-auto">
          <CopyButton isIcon text={() => address} label={t('copy')} copiedLabel={common('actions.copied')} />
        </span>
      )}
    </li>
  );
}
