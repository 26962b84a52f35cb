'use client';

import { Plus } from 'lucide-react';
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
import type { AppsPlace } from '@/lib/vocabulary/app-address';
import { expandPortMappings } from '@/lib/vocabulary/ports';
import { CopyAddress, OpenAnyPort, OpenLink, useAppAddress } from './open-port';
import { PortShareMenu } from './port-share';
import { type Listener, useListeners } from './use-measures';

/** Ports that programs in the workspace listen on: to be opened by a click, shared, or published. */
export function PortsCard({ workspace, apps }: { workspace: WorkspaceRecord; apps: AppsPlace | undefined }) {
  const t = useTranslations('pages.workspaces.listening');
  const { data, error } = useListeners(workspace.id);
  const addressOf = useAppAddress(workspace, apps);
  const ports = addressOf ? withShared(data ?? [], workspace) : (data ?? []);
  return (
    <Card title={t('title')}>
      {ports.length === 0 ? (
        <div className="text-table text-text-3 px-3.5 pb-3.5">
          {error ? (messageOf(error) ?? t('failed')) : data ? t('none') : <Skeleton className="h-5 w-40" />}
        </div>
      ) : (
        <ul className="divide-line divide-y">
          {ports.map((listener) => (
            <PortRow
              key={listener.port}
              workspace={workspace}
              listener={listener}
              {...(addressOf && { app: addressOf(listener.port) })}
            />
          ))}
        </ul>
      )}
      {addressOf && <OpenAnyPort workspace={workspace} addressOf={addressOf} />}
    </Card>
  );
}

/** Ports that somebody gave a level stay in sight while nothing listens there. */
function withShared(listeners: readonly Listener[], { portShares }: WorkspaceRecord): Listener[] {
  const others = (portShares ?? []).filter(({ port }) => !listeners.some((listener) => listener.port === port));
  const all = [...listeners, ...others.map(({ port }) => ({ port, isLocal: false }))];
  return all.toSorted((one, other) => one.port - other.port);
}

interface PortRowProps {
  workspace: WorkspaceRecord;
  listener: Listener;
  /** Where the console itself opens it. */
  app?: string;
}

function PortRow({ workspace, listener: { port, isLocal }, app }: PortRowProps) {
  const t = useTranslations('pages.workspaces.listening');
  const published = addressesOf(workspace).find((each) => each.port === port);
  const isMapped = expandPortMappings(workspace.portMappings ?? []).some(
    ({ containerPort, protocol }) => containerPort === port && protocol === 'tcp',
  );
  const canPublish = !published && !isMapped && !isLocal && workspace.can?.['modify'] === true;
  const address = isLocal ? undefined : (app ?? published?.url);
  return (
    <li className="text-table flex min-h-10 flex-wrap items-center gap-x-2.5 px-3.5 py-1">
      <span className="mono tabular-nums">{port}</span>
      {isLocal && <Tag>{t('local')}</Tag>}
      {!published && isMapped && <Tag tone="busy">{t('later')}</Tag>}
      {published && <Tag tone="ok">{t('published')}</Tag>}
      <span className="ml-auto flex items-center gap-1">
        {app && !isLocal && <PortShareMenu workspace={workspace} port={port} />}
        {app && !isLocal && <CopyAddress address={app} port={port} />}
        {canPublish && <Publish workspace={workspace} port={port} />}
        {address && <OpenLink address={address} port={port} />}
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
    <Button
      size="sm"
      variant="ghost"
      isBusy={isBusy}
      onClick={() => void publish()}
      aria-label={t('publishPort', { port })}
    >
      <Plus className="size-4" aria-hidden="true" />
      {t('publish')}
    </Button>
  );
}
