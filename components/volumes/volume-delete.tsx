'use client';

import { Archive, Folder } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { ready } from '@/components/data/client';
import { useRecordCount, useRefresh } from '@/components/data/records';
import type { VolumeRecord } from '@/components/data/types';
import { useTell } from '@/components/data/use-tell';
import { useUsersAsBlockers } from '@/components/records/used-by';
import { RadioList } from '@/components/ui/radio-list';
import { DeletePanel } from '@/components/records/delete-panel';
import { paths } from '@/lib/paths';

/** Takes a volume out of the console, and its data from the host only where that is chosen. */
export function VolumeDelete({ volume }: { volume: VolumeRecord }) {
  const t = useTranslations('pages.volumes.deletion');
  const common = useTranslations('common');
  const router = useRouter();
  const tell = useTell();
  const refresh = useRefresh();
  const [data, setData] = useState<'keep' | 'erase'>('keep');
  const blockers = useUsersAsBlockers({ field: 'volumes', id: volume.id });
  const backups = useRecordCount('volume_backups', `volume = '${volume.id}'`);
  const isFolder = volume.path_on_host !== '';
  const text = isFolder ? t('folderText') : t('text');

  async function remove() {
    const body = { removeData: !isFolder && data === 'erase', name: volume.name };
    await (await ready()).send(`/api/volume/${volume.id}/remove`, { method: 'POST', body });
    tell.done(common('told.deleted', { name: volume.name }));
    router.push(paths.volumes);
    await refresh('volumes');
  }

  return (
    <DeletePanel
      heading={t('heading', { name: volume.name })}
      text={text}
      usedText={t('used')}
      button={t('button')}
      blockers={blockers}
      title={t('title', { name: volume.name })}
      verification={volume.name}
      gone={backups ? [{ icon: <Archive />, name: t('backups', { count: backups }), detail: t('backupsDetail') }] : []}
      kept={isFolder ? [{ icon: <Folder />, name: t('folder'), detail: volume.path_on_host }] : []}
      extra={
        !isFolder && (
          <RadioList
            label={t('data')}
            value={data}
            onChange={setData}
            options={[
              { value: 'keep', label: t('keep'), text: t('keepText') },
              { value: 'erase', label: t('erase'), text: t('eraseText') },
            ]}
          />
        )
      }
      onDelete={remove}
    />
  );
}
