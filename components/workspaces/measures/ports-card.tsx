'use client';

import { ExternalLink, Plus } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { ready } from '@/components/data/client';
import { messageOf } from '@/components/data/problems';
import { useRefresh } from '@/components/data/records';
import type { WorkspaceRecord } from '@/components/data/types';
import { useTell } from '@/components/data/use-tell';
import { addressesOf } from '@/components/records/addresses';
import { Button } from '@/components/ui/button';
import { Card, Skeleton, Tag } from '@/components/ui/parts';
import { expandPortMappings } from '@/lib/vocabulary/ports';
import { type Listener, useListeners } from './use-measures';

/** Ports that programs in the workspace listen on, to be published by a click. */
export function PortsCard({ workspace }: { workspace: WorkspaceRecord }) {
  const t = useTranslations('pages.workspaces.listening');
  const { data, error } = useListeners(workspace.id);
  return (
    <Card title={t('title')}>
      {error || !data || data.length === 0 ? (
        <div className="text-table text-text-3 px-3.5 pb-3.5">
          {error ? (messageOf(error) ?? t('failed')) : data ? t('none') : <Skeleton className="h-5 w-40" />}
        </div>
      ) : (
        <ul className="divide-line divide-y">
          {data.map((listener) => (
            <PortRow key={listener.port} workspace={workspace} listener={listener} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function PortRow({ workspace, listener: { port, isLocal } }: { workspace: WorkspaceRecord; listener: Listener }) {
  const t = useTranslations('pages.workspaces.listening');
  const address = addressesOf(workspace).find((each) => each.port === port);
  const isMapped = expandPortMappings(workspace.portMappings ?? []).some(
    ({ containerPort, protocol }) => containerPort === port && protocol === 'tcp',
  );
  const canPublish = !address && !isMapped && !isLocal && workspace.can?.['modify'] === true;
  return (
    <li className="text-table flex min-h-10 items-center gap-2.5 px-3.5 py-1">
      <span className="mono tabular-nums">{port}</span>
      {isLocal && <Tag>{t('local')}</Tag>}
      {!address && isMapped && <Tag tone="busy">{t('later')}</Tag>}
      {address && <Tag tone="ok">{t('published')}</Tag>}
      <span className="ml-auto">
        {address && (
          <Button asChild size="sm" variant="ghost">
            <a href={address.url} target="_blank" rel="noreferrer" aria-label={t('openPort', { port })}>
              <ExternalLink className="size-4" aria-hidden="true" />
              {t('open')}
            </a>
          </Button>
        )}
        {canPublish && <Publish workspace={workspace} port={port} />}
      </span>
    </li>
  );
}

/** Adds the port to the workspace's settings; the page asks for the redeploy that this needs. */
function Publish({ workspace, port }: { workspace: WorkspaceRecord; port: number }) {
  const t = useTranslations('pages.workspaces.listening');
  const tell = useTell();
  const refresh = useRefresh();
  const [isBusy, setBusy] = useState(false);
  async function publish() {
    setBusy(true);
    const mapping = { containerPort: port, protocol: 'tcp' as const, hostPort: 0, hostIp: '' };
    const portMappings = [...(workspace.portMappings ?? []), mapping];
    try {
      await (await ready()).collection('workspaces').update(workspace.id, { portMappings });
      tell.done(t('added', { port }), t('redeploy'));
      await refresh('workspaces');
    } catch (error) {
      tell.failed(t('notAdded', { port }), error);
    } finally {
      setBusy(false);
    }
  }
  return (
    <Button size="sm" isBusy={isBusy} onClick={() => void publish()} aria-label={t('publishPort', { port })}>
      <Plus className="size-4" aria-hidden="true" />
      {t('publish')}
    </Button>
  );
}
