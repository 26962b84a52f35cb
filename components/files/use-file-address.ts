'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { ready } from '@/components/data/client';
import type { FileRecord } from '@/components/data/types';
import { useTell } from '@/components/data/use-tell';

/** Texts of this size or less are shown. */
const MOST_TEXT_BYTES = 262_144;

const PICTURES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/apng', 'image/vnd.mozilla.apng'];

/** What can be shown of a file: a picture, its text, or nothing. */
export function previewOf({ content_type: type, size }: Pick<FileRecord, 'content_type' | 'size'>) {
  const plain = type.split(';')[0]?.trim() ?? '';
  if (PICTURES.includes(plain)) return 'picture';
  const isText = plain.startsWith('text/') || /(?:json|xml|javascript|x-sh|toml|yaml)$/.test(plain);
  return isText && size <= MOST_TEXT_BYTES ? 'text' : undefined;
}

/** Where an upload is, for a few minutes: files are not open to everybody. */
async function addressOf(file: FileRecord, isDownload: boolean): Promise<string> {
  const pb = await ready();
  const token = await pb.files.getToken();
  return pb.files.getUrl({ id: file.id, collectionName: 'files' }, file.file, {
    token,
    ...(isDownload && { download: true }),
  });
}

/** Saves an upload on the viewer's machine. */
export function useDownload(): (file: FileRecord) => Promise<void> {
  const t = useTranslations('pages.files');
  const tell = useTell();
  return async (file) => {
    try {
      const link = document.createElement('a');
      link.href = await addressOf(file, true);
      link.download = file.name;
      link.click();
    } catch (error) {
      tell.failed(t('downloadFailed'), error);
    }
  };
}

/** What an upload looks like: the address of a picture, or a text. */
export function useFilePreview(file: FileRecord) {
  const kind = previewOf(file);
  return useQuery({
    queryKey: ['file-preview', file.id, file.file],
    enabled: kind !== undefined,
    retry: false,
    staleTime: Infinity,
    gcTime: 0,
    queryFn: async () => {
      const address = await addressOf(file, false);
      if (kind === 'picture') return address;
      const answer = await fetch(address);
      if (!answer.ok) throw new Error(answer.statusText);
      return answer.text();
    },
  });
}
