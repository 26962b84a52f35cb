'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { PickerList } from '@/components/ui/picker-list';
import type { FilterPickerProps } from '../list-types';
import type { TagScope } from './tag-scope';
import { useUsedTags } from './use-used-tags';

/** The tags of the records of a list, to narrow it by one. */
export function TagPicker({ scope, ...list }: FilterPickerProps & { scope: TagScope }) {
  const t = useTranslations('common.tags');
  const [text, setText] = useState('');
  const { tags, isBusy } = useUsedTags(text, scope);
  return (
    <PickerList
      {...list}
      options={tags.map(({ tag, count }) => ({ value: tag, text: tag, detail: String(count) }))}
      emptyText={text === '' ? t('noneYet') : t('none')}
      search={{ text, onTextChange: setText, isBusy }}
    />
  );
}
