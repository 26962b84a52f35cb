'use client';

import { useTranslations } from 'next-intl';
import { ready } from '@/components/data/client';
import { fieldProblems } from '@/components/data/problems';
import { useRefresh } from '@/components/data/records';
import type { WorkspaceRecord } from '@/components/data/types';
import { useTell } from '@/components/data/use-tell';
import { useWhen } from '@/components/records/use-when';

/** Has the clock leave a workspace alone until then; undefined takes that back. Resolves with what stands in the way. */
export function useKeep({ id, name }: WorkspaceRecord): (until: Date | undefined) => Promise<string | undefined> {
  const t = useTranslations('pages.workspaces.times.keep');
  const tell = useTell();
  const refresh = useRefresh();
  const when = useWhen();
  return async (until) => {
    const body = { until: until?.toISOString() ?? '' };
    try {
      await (await ready()).send(`/api/workspace/${id}/keep`, { method: 'POST', body, requestKey: null });
      tell.done(until ? t('done', { name, when: when(until.toISOString()) }) : t('ended', { name }));
      await refresh('workspaces');
      return undefined;
    } catch (error) {
      const [first] = fieldProblems(error);
      tell.failed(t('failed', { name }), error);
      return first?.message ?? t('failed', { name });
    }
  };
}
