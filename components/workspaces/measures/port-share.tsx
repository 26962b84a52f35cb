'use client';

import { Check, ChevronDown, Globe, Lock, Users } from 'lucide-react';
import { useFormatter, useTranslations } from 'next-intl';
import { useState } from 'react';
import { ready } from '@/components/data/client';
import { useRefresh } from '@/components/data/records';
import type { WorkspaceRecord } from '@/components/data/types';
import { useNow } from '@/components/data/use-now';
import { useTell } from '@/components/data/use-tell';
import { Button } from '@/components/ui/button';
import { Menu, MenuItem, MenuLine } from '@/components/ui/menu';
import { Tag } from '@/components/ui/parts';
import { type PortShare, type ShareLevel, shareOf, USUAL_SHARE } from '@/lib/vocabulary/workspace';

const DAY_MS = 86_400_000;
/** For how many days a port can be made public. */
const PUBLIC_DAYS = [1, 7, 30];
const ICONS = { owner: Lock, permitted: Users, signedIn: Users, public: Globe } as const;

interface PortShareProps {
  workspace: WorkspaceRecord;
  port: number;
}

/** Who may open a port; a menu for whoever may change that. */
export function PortShareMenu({ workspace, port }: PortShareProps) {
  const t = useTranslations('pages.workspaces.sharing');
  const { isBusy, choose } = useShare(workspace, port);
  const words = useShareWords();
  const share = shareOf(workspace.portShares ?? [], port, useNow());
  const Icon = ICONS[share.level];
  const text = words(share);
  if (workspace.can?.['modify'] !== true) return share.level === USUAL_SHARE ? null : <Tag>{text}</Tag>;
  const item = (level: ShareLevel, label: string, days = 0) => (
    <MenuItem
      key={label}
      icon={level === share.level && days === 0 ? <Check /> : <span className="size-4" />}
      onSelect={() => void choose(level, days)}
    >
      {label}
    </MenuItem>
  );
  return (
    <Menu
      trigger={
        <Button size="sm" variant="ghost" isBusy={isBusy} aria-label={t('change', { port, level: text })}>
          <Icon className="size-4" aria-hidden="true" />
          <span className="max-sm:sr-only">{text}</span>
          <ChevronDown className="size-3.5" aria-hidden="true" />
        </Button>
      }
    >
      {item('owner', t('owner'))}
      {item('permitted', t('permitted'))}
      {item('signedIn', t('signedIn'))}
      <MenuLine />
      {PUBLIC_DAYS.map((days) => item('public', t('publicFor', { days }), days))}
    </Menu>
  );
}

function useShareWords() {
  const t = useTranslations('pages.workspaces.sharing');
  const format = useFormatter();
  return ({ level, untilMs }: ReturnType<typeof shareOf>): string => {
    if (level !== 'public') return t(level);
    return t('publicUntil', { date: format.dateTime(untilMs, { dateStyle: 'medium', timeStyle: 'short' }) });
  };
}

function useShare(workspace: WorkspaceRecord, port: number) {
  const t = useTranslations('pages.workspaces.sharing');
  const tell = useTell();
  const refresh = useRefresh();
  const [isBusy, setBusy] = useState(false);
  async function choose(level: ShareLevel, days: number) {
    setBusy(true);
    const until = level === 'public' ? new Date(Date.now() + days * DAY_MS).toISOString() : '';
    const others = (workspace.portShares ?? []).filter((share: PortShare) => share.port !== port);
    const portShares = level === USUAL_SHARE ? others : [...others, { port, level, until }];
    try {
      await (await ready()).collection('workspaces').update(workspace.id, { portShares });
      await refresh('workspaces');
    } catch (error) {
      tell.failed(t('failed', { port }), error);
    } finally {
      setBusy(false);
    }
  }
  return { isBusy, choose };
}
