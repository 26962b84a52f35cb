'use client';

import { Download } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useRecord } from '@/components/data/records';
import type { WorkspaceRecord } from '@/components/data/types';
import { initialsOf } from '@/components/records/format';
import { HostNotices } from '@/components/records/host-notices';
import { RecordPage } from '@/components/records/record-page';
import { WorkspaceStatusLine } from '@/components/records/resource-status';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { LogList } from '@/components/ui/log/log-list';
import { openQuery, type LogQuery } from '@/components/ui/log/log-store';
import { IconTile } from '@/components/ui/parts';
import { paths } from '@/lib/paths';
import { spanStart, type LogSpan } from './log-span';
import { LogToolbar } from './log-toolbar';
import { useWorkspaceLog } from './use-workspace-log';

const TAIL = 10_000;

export function WorkspaceLogs({ workspaceId }: { workspaceId: string }) {
  const query = useRecord('workspaces', workspaceId, 'image,host,created_by');
  return (
    <RecordPage query={query} nameOf={(workspace) => workspace.name}>
      {(workspace) => <LogPage workspace={workspace} />}
    </RecordPage>
  );
}

function LogPage({ workspace }: { workspace: WorkspaceRecord }) {
  const t = useTranslations('pages.workspaces.logs');
  const common = useTranslations('common');
  const [span, setSpan] = useState<LogSpan>('all');
  const [since, setSince] = useState<string>();
  const { store, view, state, endMessage } = useWorkspaceLog({
    workspaceId: workspace.id,
    tail: TAIL,
    since,
    isOn: true,
    generation: workspace.generation,
  });
  const [query, setQuery] = useState<LogQuery>(openQuery);
  const [hit, setHit] = useState<number>();
  const [isWrapped, setWrapped] = useState(false);
  const [hasTime, setTime] = useState(true);
  const [pausedAt, setPausedAt] = useState<number>();
  const current = hit === undefined ? undefined : view.hits[hit];

  function search(next: LogQuery) {
    setQuery(next);
    setHit(undefined);
    store.setQuery(next);
  }
  function step(by: number) {
    if (view.hits.length === 0) return;
    const next =
      hit === undefined ? (by > 0 ? 0 : view.hits.length - 1) : (hit + by + view.hits.length) % view.hits.length;
    setPausedAt((at) => at ?? view.received);
    setHit(next);
  }

  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex shrink-0 flex-wrap items-center gap-3 px-6 pt-3.5 pb-1 max-lg:px-4">
        <IconTile>{initialsOf(workspace.name)}</IconTile>
        <h1 className="text-lead font-semibold">
          <Link href={paths.workspace(workspace.id)} className="rounded-sm hover:underline">
            {workspace.name}
          </Link>
          <span className="sr-only"> {t('title')}</span>
        </h1>
        <WorkspaceStatusLine workspace={workspace} host={workspace.expand?.host} />
        <span role="status" className="text-small text-text-3">
          {t(`states.${state}`)}
        </span>
        <div className="ml-auto flex items-center gap-2">
          <CopyButton text={() => store.text()} label={common('actions.copy')} copiedLabel={common('actions.copied')} />
          <Button asChild size="sm">
            <a href={`/api/workspace/${workspace.id}/logs/download`} download>
              <Download className="size-4" aria-hidden="true" />
              {t('download')}
            </a>
          </Button>
        </div>
      </div>
      <HostNotices host={workspace.expand?.host} className="grid gap-2 px-6 pt-2 max-lg:px-4" />
      <LogToolbar
        query={query}
        onQuery={search}
        view={view}
        hit={hit}
        onStep={step}
        span={span}
        onSpan={(next) => {
          setSpan(next);
          setSince(spanStart(next));
        }}
        isWrapped={isWrapped}
        onWrap={setWrapped}
        hasTime={hasTime}
        onTime={setTime}
      />
      {view.lines.length === 0 ? (
        <p role="status" className="bg-term text-table text-text-3 flex-1 px-6 py-4 max-lg:px-4">
          {view.received > 0 ? t('noMatch') : state === 'ended' ? endMessage || t('empty') : t('waiting')}
        </p>
      ) : (
        <LogList
          view={view}
          label={t('title')}
          isWrapped={isWrapped}
          hasTime={hasTime}
          hasLevel={view.counts.info + view.counts.warn + view.counts.error + view.counts.debug > 0}
          current={current}
          isFollowing={pausedAt === undefined}
          onFollow={(isFollowing) => setPausedAt(isFollowing ? undefined : view.received)}
          pausedAt={pausedAt ?? 0}
          texts={{
            paused: (count) => common('log.paused', { count }),
            resume: common('log.resume'),
            dropped: (count) => common('log.dropped', { count }),
          }}
        />
      )}
    </div>
  );
}
