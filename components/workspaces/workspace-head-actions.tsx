'use client';

import { Ellipsis, ExternalLink, Play, Power, RefreshCw, ScrollText, Square, Trash2 } from 'lucide-react';
import dynamic from 'next/dynamic';
import Link from 'next/link';
import { useSearchParams } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { setPreferences } from '@/components/data/preferences';
import type { WorkspaceRecord } from '@/components/data/types';
import { Button, IconButton } from '@/components/ui/button';
import { Menu, MenuItem, MenuLine } from '@/components/ui/menu';
import { paths } from '@/lib/paths';
import { addressesOf } from '@/components/records/addresses';
import { offeredActions, useWorkspaceActions } from '@/components/records/use-workspace-actions';
import { CopyItems } from './copy-items';
import { TerminalItems } from './terminal-items';

const RedeployDialog = dynamic(() => import('./redeploy-dialog').then((module) => module.RedeployDialog));

/** Addresses as buttons, then the acts that fit the status, then the menu. */
export function WorkspaceHeadActions({ workspace, onDelete }: { workspace: WorkspaceRecord; onDelete: () => void }) {
  const t = useTranslations('common.actions');
  const own = useTranslations('pages.workspaces');
  const { ask } = useWorkspaceActions();
  const asked = useSearchParams().get('ask') === 'redeploy';
  const [isRedeploying, setRedeploying] = useState(false);
  const offered = offeredActions(workspace);
  const addresses = addressesOf(workspace);
  function closeRedeploy() {
    setRedeploying(false);
    if (asked) window.history.replaceState(null, '', window.location.pathname);
  }
  const change = offered.find((action) => action === 'enable' || action === 'disable');
  return (
    <>
      {addresses.slice(0, 3).map((address) => (
        <Button key={address.url} asChild>
          <a
            href={address.url}
            target="_blank"
            rel="noreferrer"
            onClick={() => setPreferences({ hasOpenedWorkspace: true })}
            aria-label={own('openPort', { port: address.port })}
            title={address.url}
          >
            <ExternalLink className="size-4" aria-hidden="true" />
            <span className="tabular-nums">{own('port', { port: address.port })}</span>
          </a>
        </Button>
      ))}
      {addresses.length > 0 && <span aria-hidden="true" className="bg-line-strong h-5 w-px max-sm:hidden" />}
      {offered.includes('start') && (
        <Button variant="primary" onClick={() => void ask([workspace], 'start')}>
          <Play className="size-4" />
          {t('start')}
        </Button>
      )}
      {offered.includes('stop') && (
        <Button onClick={() => void ask([workspace], 'stop')}>
          <Square className="size-4" />
          {t('stop')}
        </Button>
      )}
      {offered.includes('redeploy') && (
        <Button onClick={() => setRedeploying(true)}>
          <RefreshCw className="size-4" />
          {t('redeploy')}
        </Button>
      )}
      {(isRedeploying || asked) && offered.includes('redeploy') && (
        <RedeployDialog workspace={workspace} onClose={closeRedeploy} />
      )}
      <Menu
        trigger={
          <IconButton variant="default" label={t('more')}>
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
        {addresses.slice(3).map((address) => (
          <MenuItem key={address.url} asChild>
            <a href={address.url} target="_blank" rel="noreferrer">
              <ExternalLink />
              {own('openPort', { port: address.port })}
            </a>
          </MenuItem>
        ))}
        <CopyItems workspaceId={workspace.id} />
        {change && (
          <MenuItem icon={<Power />} onSelect={() => void ask([workspace], change)}>
            {t(change)}
          </MenuItem>
        )}
        {offered.includes('delete') && (
          <>
            <MenuLine />
            <MenuItem icon={<Trash2 />} isDanger onSelect={onDelete}>
              {t('delete')}
            </MenuItem>
          </>
        )}
      </Menu>
    </>
  );
}
