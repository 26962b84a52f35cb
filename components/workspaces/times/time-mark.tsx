'use client';

import { useTranslations } from 'next-intl';
import { dateMs } from '@/components/data/dates';
import type { WorkspaceRecord } from '@/components/data/types';
import { useNow } from '@/components/data/use-now';
import { useWhen } from '@/components/records/use-when';
import { Tag } from '@/components/ui/parts';

const NEAR_MS = 3 * 86_400_000;

/** In a list: that a workspace is deleted in the next days, or stopped in the next minutes. */
export function TimeMark({ workspace: { deletesAt, warnedAt, stopsAt } }: { workspace: WorkspaceRecord }) {
  const t = useTranslations('pages.workspaces.times.says');
  const when = useWhen();
  const now = useNow();
  if (warnedAt !== '' && stopsAt !== '') {
    const minutes = Math.max(0, Math.ceil((dateMs(stopsAt)! - now) / 60_000));
    return <Tag tone="warn">{t('stopsSoon', { minutes })}</Tag>;
  }
  if (deletesAt === '' || dateMs(deletesAt)! - now > NEAR_MS) return null;
  return <Tag tone="warn">{t('deletes', { when: when(deletesAt) })}</Tag>;
}
