'use client';

import { useTranslations } from 'next-intl';
import type { ImageRecord } from '@/components/data/types';
import { initialsOf } from '@/components/records/format';
import { LinkedName } from '@/components/records/linked-name';
import { Tag } from '@/components/ui/parts';
import { paths } from '@/lib/paths';

/** The mark and the name of a row, which leads to its page. */
export function ImageName({ image }: { image: ImageRecord }) {
  const common = useTranslations('common');
  return (
    <LinkedName icon={initialsOf(image.name)} name={image.name} href={paths.image(image.id)}>
      {!image.enabled && <Tag>{common('disabled')}</Tag>}
    </LinkedName>
  );
}
