'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { ready } from '@/components/data/client';

/** How many workspaces that the viewer may not see have the volume. */
export function HiddenUsers({ volumeId }: { volumeId: string }) {
  const t = useTranslations('pages.volumes');
  const { data } = useQuery({
    queryKey: ['volume-usage', volumeId],
    queryFn: async ({ signal }) =>
      (await ready()).send<{ hidden: number }>(`/api/volume/${volumeId}/usage`, { signal, requestKey: null }),
    retry: false,
  });
  if (!data || data.hidden === 0) return null;
  return <p className="text-table text-text-2 px-3.5">{t('hiddenUsers', { count: data.hidden })}</p>;
}
