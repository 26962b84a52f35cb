'use client';

import { useQuery } from '@tanstack/react-query';
import { HardDrive, Layers, RotateCcw, TriangleAlert } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { ready } from '@/components/data/client';
import { hasTimedOut, messageOf } from '@/components/data/problems';
import type { HostRecord } from '@/components/data/types';
import { DeleteDialog } from '@/components/records/delete-dialog';
import { useFormats } from '@/components/records/use-formats';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { Card, Facts, Skeleton } from '@/components/ui/parts';
import { type HostDiskUse, PruneNote, UnusedImages } from './unused-images';

/** While something is being removed, this often. */
const POLL_MS = 2000;

/** What lies on the disk of the host's engine, and what of it can go: for whoever may change the host. */
export function HostDisk({ host }: { host: HostRecord }) {
  const { bytes } = useFormats();
  const t = useTranslations('pages.hosts.disk');
  const errors = useTranslations('common.errors');
  const [asked, setAsked] = useState<'images' | 'buildCache'>();
  const path = `/api/host/${host.id}`;
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['host-disk', host.id],
    queryFn: async ({ signal }) => (await ready()).send<HostDiskUse>(`${path}/disk`, { signal, requestKey: null }),
    enabled: host.status === 'online',
    retry: false,
    refetchInterval: ({ state }) => (state.data?.prune?.isRunning ? POLL_MS : false),
  });
  async function prune(what: 'images' | 'buildCache') {
    const body = { name: host.name, [what]: true };
    await (await ready()).send(`${path}/prune`, { method: 'POST', body, requestKey: null });
    await refetch();
  }
  const isRunning = data?.prune?.isRunning === true;
  return (
    <Card
      className="col-span-full"
      title={t('title')}
      actions={
        <Button size="sm" variant="ghost" isBusy={isFetching && !isRunning} onClick={() => void refetch()}>
          <RotateCcw className="size-4" aria-hidden="true" />
          {t('look')}
        </Button>
      }
    >
      <div aria-live="polite" aria-busy={isFetching}>
        {!data && isFetching && <Skeleton className="mx-3.5 mb-3.5 h-24" />}
        {error && !isFetching && (
          <Notice tone="bad" icon={<TriangleAlert />} className="mx-3.5 mb-3.5">
            {messageOf(error) || errors(hasTimedOut(error) ? 'timeout' : 'general')}
          </Notice>
        )}
        {data && <DiskFacts use={data} />}
        {data?.prune && <PruneNote prune={data.prune} />}
      </div>
      {data && <UnusedImages use={data} />}
      {data && (
        <div className="flex flex-wrap gap-2 px-3.5 pb-3.5">
          <Button size="sm" disabled={isRunning || data.unusedCount === 0} onClick={() => setAsked('images')}>
            {t('removeImages')}
          </Button>
          <Button
            size="sm"
            disabled={isRunning || data.buildCache.unusedBytes === 0}
            onClick={() => setAsked('buildCache')}
          >
            {t('emptyCache')}
          </Button>
        </div>
      )}
      {data && asked && (
        <DeleteDialog
          isOpen
          onOpenChange={(isOpen) => !isOpen && setAsked(undefined)}
          title={t(asked === 'images' ? 'imagesTitle' : 'cacheTitle', { name: host.name })}
          text={t(asked === 'images' ? 'imagesText' : 'cacheText')}
          verification={host.name}
          gone={[goneOf(asked, data, { t, bytes })]}
          confirmLabel={t(asked === 'images' ? 'imagesConfirm' : 'cacheConfirm')}
          onDelete={() => prune(asked)}
        />
      )}
    </Card>
  );
}

interface Words {
  t: ReturnType<typeof useTranslations<'pages.hosts.disk'>>;
  bytes: (bytes: number) => string;
}

function goneOf(what: 'images' | 'buildCache', use: HostDiskUse, { t, bytes }: Words) {
  if (what === 'buildCache') {
    return { icon: <HardDrive />, name: t('cache'), detail: bytes(use.buildCache.unusedBytes) };
  }
  const detail = t('unusedValue', { size: bytes(use.unusedBytes), count: use.unusedCount });
  return { icon: <Layers />, name: t('unused'), detail };
}

function DiskFacts({ use }: { use: HostDiskUse }) {
  const { bytes } = useFormats();
  const t = useTranslations('pages.hosts.disk');
  const { images, layersBytes, containers, volumes, buildCache, unusedBytes, unusedCount } = use;
  const unused = t('unusedValue', { size: bytes(unusedBytes), count: unusedCount });
  return (
    <Facts
      items={[
        { name: t('layers'), value: t('imagesValue', { size: bytes(layersBytes), count: images }) },
        { name: t('unused'), value: unusedCount > 0 ? unused : t('none') },
        {
          name: t('cache'),
          value: t('cacheValue', {
            size: bytes(buildCache.sizeBytes),
            unused: bytes(buildCache.unusedBytes),
          }),
        },
        {
          name: t('containers'),
          value: t('containersValue', { size: bytes(containers.sizeBytes), count: containers.count }),
        },
        {
          name: t('volumes'),
          value: t('volumesValue', { size: bytes(volumes.sizeBytes), count: volumes.count }),
        },
      ]}
    />
  );
}
