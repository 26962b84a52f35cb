'use client';

import { Ellipsis, ExternalLink, Play, Power, RefreshCw, ScrollText, Square, Trash2 } from 'lucide-react';
import dynamic from 'next/dynamic';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { setPreferences } from '@/components/data/preferences';
import type { WorkspaceRecord } from '@/components/data/types';
import { IconButton } from '@/components/ui/button';
import { Menu, MenuItem, MenuLine } from '@/components/ui/menu';
import type { WorkspaceAction } from '@/lib/vocabulary/workspace-status';
import { paths } from '@/lib/paths';
import { addressesOf } from '@/components/records/addresses';
import { offeredActions, useWorkspaceActions } from '@/components/records/use-workspace-actions';
import { CopyItems } from './copy-items';
import { TerminalItems } from './terminal-items';

const RedeployDialog = dynamic(() => import('./redeploy-dialog').then((module) => module.RedeployDialog));

const icons: Record<WorkspaceAction, React.ReactNode> = {
  start: <Play />,
  stop: <Square />,
  redeploy: <RefreshCw />,
  enable: <Power />,
  disable: <Power />,
  delete: <Trash2 />,
};

interface RowActionsProps {
  workspace: WorkspaceRecord;
  onDelete: () => void;
}

/** Quick ways out on hover and focus; everything in the menu. */
export function WorkspaceRowActions({ workspace, onDelete }: RowActionsProps) {
  const t = useTranslations('common.actions');
  const { ask } = useWorkspaceActions();
  const [isRedeploying, setRedeploying] = useState(false);
  const [first] = addressesOf(workspace);
  const offered = offeredActions(workspace);
  return (
    <span className="inline-flex justify-end gap-0.5 align-middle">
      <span className="inline-flex gap-0.5 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 max-lg:hidden">
        {first && (
          <IconButton asChild size="sm" label={t('openOf', { name: workspace.name })}>
            <a
              href={first.url}
              target="_blank"
              rel="noreferrer"
              onClick={() => setPreferences({ hasOpenedWorkspace: true })}
            >
              <ExternalLink className="size-4" />
            </a>
          </IconButton>
        )}
        <IconButton asChild size="sm" label={t('logsOf', { name: workspace.name })}>
          <Link href={paths.workspaceLogs(workspace.id)}>
            <ScrollText className="size-4" />
          </Link>
        </IconButton>
      </span>
      <Menu
        trigger={
          <IconButton size="sm" label={t('moreOf', { name: workspace.name })}>
            <Ellipsis className="size-4" />
          </IconButton>
        }
      >
        <MenuItem asChild>
          <Link href={paths.workspaceLogs(workspace.id)}>
            <ScrollText />
            {t('logs')}
          </Link>
        </MenuItem>
        <TerminalItems workspace={workspace} />
        {offered.map((action) =>
          action === 'delete' ? null : (
            <MenuItem
              key={action}
              icon={icons[action]}
              onSelect={() => (action === 'redeploy' ? setRedeploying(true) : void ask([workspace], action))}
            >
              {t(action)}
            </MenuItem>
          ),
        )}
        <CopyItems workspaceId={workspace.id} />
        {offered.includes('delete') && (
          <>
            <MenuLine />
            <MenuItem icon={<Trash2 />} isDanger onSelect={onDelete}>
              {t('delete')}
            </MenuItem>
          </>
        )}
      </Menu>
      {isRedeploying && <RedeployDialog workspace={workspace} onClose={() => setRedeploying(false)} />}
    </span>
  );
}
