'use client';

import { Check, Clock } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { dateMs } from '@/components/data/dates';
import type { WorkspaceRecord } from '@/components/data/types';
import { useNow } from '@/components/data/use-now';
import { useWhen } from '@/components/records/use-when';
import { Button } from '@/components/ui/button';
import { Menu, MenuItem, MenuLine } from '@/components/ui/menu';
import { Notice } from '@/components/ui/notice';
import { keepChoices } from './keep-choices';
import { useKeep } from './use-keep';
import { useTimeBounds } from './use-time-bounds';
import { willStart } from './will-start';

const KeepDialog = dynamic(() => import('./keep-dialog').then((module) => module.KeepDialog));

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** What is as near as that stands out. */
const NEAR_MS = 24 * HOUR_MS;

/** What the clock will do with a workspace, and the button that holds it off. Nothing where it will do nothing. */
export function TimeBar({ workspace }: { workspace: WorkspaceRecord }) {
  const sentences = useSentences(workspace);
  const now = useNow();
  if (sentences.length === 0) return null;
  const { warnedAt, deletesAt } = workspace;
  const isNear = warnedAt !== '' || (deletesAt !== '' && dateMs(deletesAt)! - now < NEAR_MS);
  const mayKeep = workspace.can?.['deploy'] === true;
  return (
    <Notice
      tone={isNear ? 'warn' : 'accent'}
      icon={<Clock aria-hidden="true" />}
      actions={mayKeep && <KeepMenu workspace={workspace} />}
    >
      <ul className="flex flex-wrap gap-x-4 gap-y-0.5">
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </Notice>
  );
}

function useSentences(workspace: WorkspaceRecord): string[] {
  const t = useTranslations('pages.workspaces.times.says');
  const when = useWhen();
  const now = useNow();
  const { keptUntil, stopsAt, warnedAt, nextStopAt, nextStartAt, deletesAt, desired, status } = workspace;
  const isUp = desired === 'running';
  const isKept = (dateMs(keptUntil) ?? 0) > now;
  const minutes = Math.max(0, Math.ceil(((dateMs(stopsAt) ?? 0) - now) / MINUTE_MS));
  const idle = warnedAt !== '' ? t('stopsSoon', { minutes }) : t('stopsUnused', { when: when(stopsAt) });
  return [
    ...(isKept ? [t('kept', { when: when(keptUntil) })] : []),
    ...(isUp && stopsAt !== '' && !isKept ? [idle] : []),
    ...(isUp && nextStopAt !== ''
      ? [t('stops', { when: when(isKept && nextStopAt < keptUntil ? keptUntil : nextStopAt) })]
      : []),
    ...(willStart(workspace) ? [t('starts', { when: when(nextStartAt) })] : []),
    ...(deletesAt !== '' && status !== 'running' ? [t('deletes', { when: when(deletesAt) })] : []),
  ];
}

function KeepMenu({ workspace }: { workspace: WorkspaceRecord }) {
  const t = useTranslations('pages.workspaces.times.keep');
  const now = useNow();
  const keep = useKeep(workspace);
  const hoursMax = useTimeBounds(workspace.id)?.keepHoursMax;
  const { hours: allowed, tomorrow } = keepChoices(now, hoursMax);
  const [isChoosing, setChoosing] = useState(false);
  const isKept = (dateMs(workspace.keptUntil) ?? 0) > now;
  return (
    <>
      <Menu trigger={<Button size="sm">{t('open')}</Button>}>
        {allowed.map((hours) => (
          <MenuItem key={hours} onSelect={() => void keep(new Date(Date.now() + hours * HOUR_MS))}>
            {t('hours', { hours })}
          </MenuItem>
        ))}
        {tomorrow && <MenuItem onSelect={() => void keep(tomorrow)}>{t('tomorrow')}</MenuItem>}
        <MenuItem onSelect={() => setChoosing(true)}>{t('choose')}</MenuItem>
        {isKept && (
          <>
            <MenuLine />
            <MenuItem icon={<Check />} onSelect={() => void keep(undefined)}>
              {t('end')}
            </MenuItem>
          </>
        )}
      </Menu>
      {isChoosing && <KeepDialog hoursMax={hoursMax} onKeep={keep} onClose={() => setChoosing(false)} />}
    </>
  );
}
