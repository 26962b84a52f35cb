'use client';

import { Download, Link2 } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useRecord } from '@/components/data/records';
import type { WorkspaceRecord } from '@/components/data/types';
import { HostNotices } from '@/components/records/host-notices';
import { LogSwitch, LogToolbar } from '@/components/records/log-toolbar';
import { RecordPage } from '@/components/records/record-page';
import { WorkspaceStatusLine } from '@/components/records/resource-status';
import { WorkspaceIcon } from '@/components/records/workspace-icon';
import { useLogSearch } from '@/components/records/use-log-search';
import { Button } from '@/components/ui/button';
import { CopyButton } from '@/components/ui/copy-button';
import { LogList } from '@/components/ui/log/log-list';
import type { LogQuery } from '@/components/ui/log/log-query';
import { paths } from '@/lib/paths';
import { NewerBar, OlderBar } from './log-ends';
import { type LogStretch, stretchOf } from './log-span';
import { LogSpanPicker } from './log-span-picker';
import { LogStateText } from './log-state';
import { useLogAddress } from './use-log-address';
import { useLineLink } from './use-line-link';
import { useLogWindow, useOutsideSearch } from './use-log-window';
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
  const { begin, address, change } = useLogAddress();
  const { isWrapped, hasTime } = address;
  const [stretch, setStretch] = useState(() => stretchOf(address));
  const log = useWorkspaceLog({ workspaceId: workspace.id, tail: TAIL, ...stretch, isOn: true, isNumbered: true });
  const { store, view, state, endMessage } = log;
  const loaded = useLogWindow(workspace.id, log);
  const [pausedAt, setPausedAt] = useState<number>();
  function show(seq: number) {
    setPausedAt((at) => at ?? view.received);
    const isLoaded = view.first && view.last && seq >= view.first.seq && seq <= view.last.seq;
    if (!isLoaded && view.base !== undefined) void loaded.goTo(seq + view.base);
  }
  const search = useLogSearch(log, show, begin.query);
  const onQuery = (query: LogQuery) => {
    search.onQuery(query);
    change({ query });
  };
  const link = useLineLink({ address, change, log, show });
  const current = search.current ?? link.seq;
  const currentLine = current === undefined || view.base === undefined ? undefined : current + view.base;
  const outside = useOutsideSearch(
    { workspaceId: workspace.id, query: search.query, ...stretch },
    { log, first: loaded.first },
  );

  function toEnd() {
    if (view.isDetached) log.reopen();
    setPausedAt(undefined);
  }

  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex shrink-0 flex-wrap items-center gap-3 px-6 pt-3.5 pb-1 max-lg:px-4">
        <WorkspaceIcon workspace={workspace} />
        <h1 className="text-lead font-semibold">
          <Link href={paths.workspace(workspace.id)} className="rounded-sm hover:underline">
            {workspace.name}
          </Link>
          <span className="sr-only"> {t('title')}</span>
        </h1>
        <div className="max-w-[40%] min-w-0 max-lg:max-w-full">
          <WorkspaceStatusLine workspace={workspace} host={workspace.expand?.host} />
        </div>
        <LogStateText log={log} className="text-small text-text-3" />
        <div className="ml-auto flex items-center gap-2">
          {currentLine !== undefined && (
            <Button size="sm" variant="ghost" onClick={() => link.copy(currentLine)}>
              <Link2 className="size-4" aria-hidden="true" />
              {t('linkToLine', { number: currentLine })}
            </Button>
          )}
          <CopyButton text={() => store.text()} label={common('actions.copy')} copiedLabel={common('actions.copied')} />
          <Button asChild size="sm">
            <a href={downloadOf(workspace.id, stretch)} download>
              <Download className="size-4" aria-hidden="true" />
              {t('download')}
            </a>
          </Button>
        </div>
      </div>
      <HostNotices host={workspace.expand?.host} className="grid gap-2 px-6 pt-2 max-lg:px-4" />
      <LogToolbar
        search={{ ...search, onQuery }}
        view={view}
        isWhole={loaded.first === 1 && !view.isDetached}
        note={outside.isSearching ? common('log.searching') : undefined}
      >
        <LogSpanPicker
          address={address}
          onChange={(part) => {
            change(part);
            setStretch(stretchOf(part));
          }}
        />
        <div className="ml-auto flex items-center gap-4">
          <LogSwitch label={common('log.wrap')} checked={isWrapped} onChange={(isOn) => change({ isWrapped: isOn })} />
          <LogSwitch label={common('log.time')} checked={hasTime} onChange={(isOn) => change({ hasTime: isOn })} />
        </div>
      </LogToolbar>
      {link.problem && (
        <p role="status" className="border-line text-small text-warn-text border-b px-6 py-1.5 max-lg:px-4">
          {link.problem}
        </p>
      )}
      {(outside.problem || outside.hits !== undefined) && (
        <p role="status" className="border-line text-small text-warn-text border-b px-6 py-1.5 max-lg:px-4">
          {outside.problem || t('manyHits', { count: outside.hits ?? 0 })}
        </p>
      )}
      {view.lines.length === 0 ? (
        <p role="status" className="bg-term text-table text-text-3 flex-1 px-6 py-4 max-lg:px-4">
          {view.received > 0
            ? t('noMatch')
            : state === 'over' || state === 'ended'
              ? endMessage || t(stretch.until ? 'emptyThen' : 'empty')
              : t('waiting')}
        </p>
      ) : (
        <LogList
          view={view}
          label={t('title')}
          isWrapped={isWrapped}
          hasTime={hasTime}
          hasLevel={view.counts.info + view.counts.warn + view.counts.error + view.counts.debug > 0}
          current={current}
          onNumber={link.copy}
          isFollowing={pausedAt === undefined}
          onFollow={(isFollowing) => setPausedAt(isFollowing && !view.isDetached ? undefined : view.received)}
          pausedAt={pausedAt ?? 0}
          texts={{
            paused: (count) => common('log.paused', { count }),
            resume: common('log.resume'),
          }}
          onResume={toEnd}
          head={
            <OlderBar loaded={loaded} log={log} tail={TAIL} onLoad={() => setPausedAt((at) => at ?? view.received)} />
          }
          foot={<NewerBar loaded={loaded} onEnd={toEnd} />}
        />
      )}
    </div>
  );
}

function downloadOf(workspaceId: string, { since, until }: LogStretch): string {
  const query = new URLSearchParams({ ...(since && { since }), ...(until && { until }) }).toString();
  return `/api/workspace/${workspaceId}/logs/download${query && `?${query}`}`;
}
