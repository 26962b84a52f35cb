'use client';

import { Lock, Power } from 'lucide-react';
import dynamic from 'next/dynamic';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useRecord } from '@/components/data/records';
import type { WorkspaceRecord } from '@/components/data/types';
import { addressesOf } from '@/components/records/addresses';
import { initialsOf } from '@/components/records/format';
import { HostNotices } from '@/components/records/host-notices';
import { RecordPage } from '@/components/records/record-page';
import { WorkspaceStatusLine } from '@/components/records/resource-status';
import { askKey } from '@/components/records/terminal/ask-key';
import type { TerminalAsk } from '@/components/records/terminal/terminal-link';
import { Button } from '@/components/ui/button';
import { HeroState } from '@/components/ui/hero-state';
import { IconTile } from '@/components/ui/parts';
import { paths } from '@/lib/paths';
import { TerminalForm, type TerminalWish } from './terminal-form';

const TerminalScreen = dynamic(() =>
  import('@/components/records/terminal/terminal-screen').then((module) => module.TerminalScreen),
);

export interface TerminalParams {
  command?: string | undefined;
  user?: string | undefined;
  workdir?: string | undefined;
  session?: string | undefined;
}

interface WorkspaceTerminalProps {
  workspaceId: string;
  kind: 'exec' | 'attach';
  /** From the address. */
  params: TerminalParams;
}

export function WorkspaceTerminal(props: WorkspaceTerminalProps) {
  const query = useRecord('workspaces', props.workspaceId, 'image,host,created_by');
  return (
    <RecordPage query={query} nameOf={(workspace) => workspace.name}>
      {(workspace) => <TerminalPage workspace={workspace} {...props} />}
    </RecordPage>
  );
}

function TerminalPage({ workspace, kind, params }: WorkspaceTerminalProps & { workspace: WorkspaceRecord }) {
  const t = useTranslations('pages.terminal');
  const isSaid = kind === 'attach' || Object.values(params).some((value) => value !== undefined);
  const [ask, setAsk] = useState<TerminalAsk | undefined>(() =>
    isSaid ? toAsk(workspace.id, kind, params) : undefined,
  );
  const isShown = workspace.can?.['attach'] === true && (ask !== undefined || workspace.status === 'running');

  function open(wish: TerminalWish) {
    noteWish(wish);
    setAsk(toAsk(workspace.id, kind, wish));
  }
  /** As the one before, in a session of its own. */
  const again = () => setAsk((before) => before && { ...before, session: '' });

  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex shrink-0 flex-wrap items-center gap-3 px-6 pt-3.5 pb-1 max-lg:px-4">
        <IconTile>{initialsOf(workspace.name)}</IconTile>
        <h1 className="text-lead font-semibold">
          <Link href={paths.workspace(workspace.id)} className="rounded-sm hover:underline">
            {workspace.name}
          </Link>
          <span className="sr-only"> {t(kind)}</span>
        </h1>
        <div className="max-w-[40%] min-w-0 max-lg:max-w-full">
          <WorkspaceStatusLine workspace={workspace} host={workspace.expand?.host} />
        </div>
      </div>
      <HostNotices host={workspace.expand?.host} className="grid gap-2 px-6 pt-2 max-lg:px-4" />
      {!isShown && <NoTerminal workspace={workspace} />}
      {isShown && !ask && <TerminalForm name={workspace.name} onOpen={open} />}
      {isShown && ask && (
        <TerminalScreen
          key={askKey(ask)}
          name={workspace.name}
          addresses={addressesOf(workspace)}
          ask={ask}
          onAgain={again}
        />
      )}
    </div>
  );
}

function NoTerminal({ workspace }: { workspace: WorkspaceRecord }) {
  const t = useTranslations('pages.terminal');
  const key = workspace.can?.['attach'] === true ? 'down' : 'forbidden';
  return (
    <HeroState
      drawing={key === 'down' ? <Power className="text-text-3 size-8" /> : <Lock className="text-text-3 size-8" />}
      title={t(`${key}.title`, { name: workspace.name })}
      text={t(`${key}.text`, { name: workspace.name })}
      actions={
        <Button asChild>
          <Link href={paths.workspace(workspace.id)}>{t('toWorkspace')}</Link>
        </Button>
      }
    />
  );
}

function toAsk(workspaceId: string, kind: 'exec' | 'attach', params: TerminalParams): TerminalAsk {
  const { command = '', user = '', workdir = '', session = '' } = params;
  const wish: TerminalAsk['wish'] = kind === 'exec' ? { command, user, workdir } : {};
  return { base: `/api/workspace/${workspaceId}`, kind, wish, session };
}

/** What was asked for stands in the address, for the next time. */
function noteWish(wish: TerminalWish): void {
  const url = new URL(window.location.href);
  url.searchParams.set('command', wish.command);
  for (const name of ['user', 'workdir'] as const) if (wish[name]) url.searchParams.set(name, wish[name]);
  window.history.replaceState(null, '', url);
}
