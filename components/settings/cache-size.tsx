'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { ready } from '@/components/data/client';
import { useTell } from '@/components/data/use-tell';
import { FormSection } from '@/components/records/form-layout';
import { useFormats } from '@/components/records/use-formats';
import { Button } from '@/components/ui/button';

interface Kept {
  sizeBytes: number;
  maxBytes: number;
  directory: string;
}

/** Of what is asked for here: how much is kept, and where. */
export const CACHE_SIZE_KEY = ['package-cache'];
const CALL = '/api/packages/cache';

/** How much the cache holds, and a button that empties it. */
export function CacheSize() {
  const { bytes } = useFormats();
  const t = useTranslations('pages.settings.cache');
  const tell = useTell();
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const { data, isError } = useQuery({
    queryKey: CACHE_SIZE_KEY,
    queryFn: async () => (await ready()).send<Kept>(CALL, { method: 'GET' }),
    staleTime: 0,
  });

  async function empty() {
    setBusy(true);
    try {
      queries.setQueryData(CACHE_SIZE_KEY, await (await ready()).send<Kept>(CALL, { method: 'DELETE' }));
      tell.done(t('emptied'));
    } catch (error) {
      tell.failed(t('notEmptied'), error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <FormSection id="kept" title={t('kept')} text={t('keptText')} isLast>
      <p role="status" className="text-table text-text-2 break-words">
        {data &&
          t('size', {
            size: bytes(data.sizeBytes),
            room: bytes(data.maxBytes),
            directory: data.directory,
          })}
        {isError && t('unknown')}
      </p>
      <div>
        <Button isBusy={isBusy} disabled={data?.sizeBytes === 0} onClick={() => void empty()}>
          {t('empty')}
        </Button>
      </div>
    </FormSection>
  );
}
