'use client';

import { Maximize2, X } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useEffect, useEffectEvent, useState } from 'react';
import { useRecord } from '@/components/data/records';
import { WorkspaceStatusLine } from '@/components/records/resource-status';
import { WorkspaceIcon } from '@/components/records/workspace-icon';
import { IconButton } from '@/components/ui/button';
import { LogList } from '@/components/ui/log/log-list';
import type { LogQuery } from '@/components/ui/log/log-query';
import type { LogView } from '@/components/ui/log/log-store';
import { paths } from '@/lib/paths';
import type { LogStretch } from './log-span';
import { LogStateText } from './log-state';
import { useWorkspaceLog } from './use-workspace-log';

/** Lines that one of several logs begins with, and keeps. */
const TAIL = 2000;
const KEPT = 20_000;

interface LogPaneProps {
  workspaceId: string;
  query: LogQuery;
  stretch: LogStretch;
  look: { isWrapped: boolean; hasTime: boolean };
  /** Called with what is shown, whenever that changes. */
  onView: (view: LogView) => void;
  onLeave: () => void;
}

/** One of several logs: its workspace, and the lines in sight. */
export function LogPane({ workspaceId, query, stretch, look, onView, onLeave }: LogPaneProps) {
  const t = useTranslations('pages.workspaces.logs');
  const { data: workspace, error } = useRecord('workspaces', workspaceId, 'host');
  const log = useWorkspaceLog({ workspaceId, tail: TAIL, kept: KEPT, ...stretch, isOn: workspace !== undefined });
  const name = workspace?.name ?? workspaceId;
  return (
    <section aria-label={t('together.of', { name })} className="bg-term flex min-h-0 min-w-0 flex-col">
      <div className="border-line bg-surface flex h-10 shrink-0 items-center gap-2.5 border-b pr-2 pl-4">
        {workspace && <WorkspaceIcon workspace={workspace} />}
        <h2 className="text-table min-w-0 truncate font-medium">
          {workspace ? (
            <Link href={paths.workspace(workspace.id)} className="rounded-sm hover:underline">
              {name}
            </Link>
          ) : (
            name
          )}
        </h2>
        <span className="min-w-0 truncate max-sm:hidden">
          {workspace && <WorkspaceStatusLine workspace={workspace} host={workspace.expand?.host} />}
        </span>
        {workspace && <LogStateText log={log} className="text-small text-text-3 min-w-0 truncate max-xl:hidden" />}
        <span className="ml-auto flex shrink-0">
          <IconButton asChild size="sm" label={t('together.alone', { name })}>
            <Link href={paths.workspaceLogs(workspaceId)}>
              <Maximize2 className="size-3.5" />
            </Link>
          </IconButton>
          <IconButton size="sm" label={t('together.leave', { name })} onClick={onLeave}>
            <X className="size-4" />
          </IconButton>
        </span>
      </div>
      {error ? (
        <p role="alert" className="text-table text-text-2 px-4 py-3">
          {t('together.gone')}
        </p>
      ) : (
        <Lines
          log={log}
          query={query}
          look={look}
          hasEnd={stretch.until !== undefined}
          label={t('together.of', { name })}
          onView={onView}
        />
      )}
    </section>
  );
}

type LinesProps = Pick<LogPaneProps, 'query' | 'look' | 'onView'> & {
  log: ReturnType<typeof useWorkspaceLog>;
  hasEnd: boolean;
  label: string;
};

function Lines({ log, query, look, hasEnd, label, onView }: LinesProps) {
  const t = useTranslations('pages.workspaces.logs');
  const common = useTranslations('common.log');
  const { store, view, state, endMessage } = log;
  const [pausedAt, setPausedAt] = useState<number>();
  useEffect(() => store.setQuery(query), [store, query]);
  const tellView = useEffectEvent(onView);
  useEffect(() => tellView(view), [view]);
  if (view.lines.length === 0) {
    const isOver = state === 'over' || state === 'ended';
    return (
      <p role="status" className="text-table text-text-3 px-4 py-3">
        {view.received > 0 ? t('noMatch') : isOver ? endMessage || t(hasEnd ? 'emptyThen' : 'empty') : t('waiting')}
      </p>
    );
  }
  return (
    <LogList
      view={view}
      label={label}
      isWrapped={look.isWrapped}
      hasTime={look.hasTime}
      hasLevel={view.counts.info + view.counts.warn + view.counts.error + view.counts.debug > 0}
      current={undefined}
      isFollowing={pausedAt === undefined}
      onFollow={(isFollowing) => setPausedAt(isFollowing ? undefined : view.received)}
      pausedAt={pausedAt ?? 0}
      texts={{ paused: (count) => common('paused', { count }), resume: common('resume') }}
    />
  );
}
