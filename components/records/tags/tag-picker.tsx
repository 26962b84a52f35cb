'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { PickerList } from '@/components/ui/picker-list';
import type { Tagged } from '@/lib/vocabulary/tags';
import type { FilterPickerProps } from '../list-types';
import { useUsedTags } from './use-used-tags';

/** The tags of a kind of records, to narrow its list by one. */
export function TagPicker({ kind, ...list }: FilterPickerProps & { kind: Tagged }) {
  const t = useTranslations('common.tags');
  const [text, setText] = useState('');
  const { tags, isBusy } = useUsedTags(text, { kind });
  return (
    <PickerList
      {...list}
      options={tags.map(({ tag, count }) => ({ value: tag, text: tag, detail: String(count) }))}
      emptyText={text === '' ? t('noneYet') : t('none')}
      search={{ text, onTextChange: setText, isBusy }}
    />
  );
}
