'use client';

import { Server } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { UseFormReturn } from 'react-hook-form';
import { useGivenFilter, useHostChoices } from '@/components/records/record-choices';
import { RecordField } from '@/components/records/record-field';
import { useOnlyChoice } from '@/components/records/use-only-choice';
import type { ImageValues } from './image-schema';

interface HostFieldProps {
  form: UseFormReturn<ImageValues>;
  /** A built image stays on its host. */
  isFixed?: boolean;
}

export function HostField({ form, isFixed = false }: HostFieldProps) {
  const t = useTranslations('pages.images.fields');
  const common = useTranslations('common');
  const choices = useHostChoices(useGivenFilter('host', 'canCreateImages'));
  const { isNone } = useOnlyChoice(form, 'build_on', choices);
  return (
    <RecordField
      form={form}
      name="build_on"
      choices={choices}
      label={t('host')}
      hint={isFixed ? t('hostFixed') : isNone ? t('noHost') : undefined}
      icon={<Server className="text-text-3 size-4" aria-hidden="true" />}
      placeholder={t('pickHost')}
      searchLabel={common('filters.searchHosts')}
      isFixed={isFixed}
    />
  );
}
