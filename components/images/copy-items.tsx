'use client';

import { Copy, Files } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useMayCreate } from '@/components/records/use-may-create';
import { MenuItem } from '@/components/ui/menu';
import { paths } from '@/lib/paths';

/** Menu entries that make another of an image: one to build, or a template. */
export function CopyItems({ imageId }: { imageId: string }) {
  const t = useTranslations('common.actions');
  if (!useMayCreate('canCreateImages')) return null;
  return (
    <>
      <MenuItem asChild>
        <Link href={paths.imageFromTemplate(imageId)}>
          <Files />
          {t('duplicate')}
        </Link>
      </MenuItem>
      <MenuItem asChild>
        <Link href={paths.imageTemplateCreate(imageId)}>
          <Copy />
          {t('saveAsTemplate')}
        </Link>
      </MenuItem>
    </>
  );
}
