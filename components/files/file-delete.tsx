'use client';

import { Layers } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { ready } from '@/components/data/client';
import { useRefresh } from '@/components/data/records';
import type { FileRecord } from '@/components/data/types';
import { useTell } from '@/components/data/use-tell';
import type { DeleteBlocker } from '@/components/records/delete-dialog';
import { DeletePanel } from '@/components/records/delete-panel';
import { paths } from '@/lib/paths';
import { useFileImages } from './use-file-images';

/** Takes a file out of the archive. */
export function FileDelete({ file }: { file: FileRecord }) {
  const t = useTranslations('pages.files.deletion');
  const common = useTranslations('common');
  const router = useRouter();
  const tell = useTell();
  const refresh = useRefresh();
  const blockers = useBlockers(file.id);

  async function remove() {
    await (await ready()).collection('files').delete(file.id);
    tell.done(common('told.deleted', { name: file.name }));
    router.push(paths.files);
    await refresh('files');
  }

  return (
    <DeletePanel
      heading={t('heading', { name: file.name })}
      text={t('text')}
      usedText={t('used')}
      button={t('button')}
      blockers={blockers}
      title={t('title', { name: file.name })}
      verification={file.name}
      gone={[]}
      onDelete={remove}
    />
  );
}

function useBlockers(fileId: string): DeleteBlocker[] | undefined {
  const t = useTranslations('pages.files');
  const { images, more } = useFileImages(fileId);
  if (!images) return undefined;
  return [
    ...images.map(({ id, name }) => ({ icon: <Layers />, name, href: paths.image(id) })),
    ...(more > 0 ? [{ icon: <Layers />, name: t('usedByMore', { count: more }) }] : []),
  ];
}
