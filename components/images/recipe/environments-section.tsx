'use client';

import { Plus } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useFieldArray, useWatch, type UseFormReturn } from 'react-hook-form';
import { FieldChange } from '@/components/records/field-change';
import { useIsReadOnly } from '@/components/records/form-access';
import { FormSection } from '@/components/records/form-layout';
import { Button } from '@/components/ui/button';
import type { ImageValues } from '../image-schema';
import { ImportButton } from '../carry/import-button';
import { ImageChannels } from './channel-list';
import { EnvironmentCard } from './environment-card';

interface SectionProps {
  form: UseFormReturn<ImageValues>;
  isLast?: boolean;
}

/** The named environments of an image, each with its channels and packages. */
export function EnvironmentsSection({ form, isLast = false }: SectionProps) {
  const t = useTranslations('pages.images.recipe');
  const isReadOnly = useIsReadOnly();
  const hasChannels = useWatch({ control: form.control, name: 'channels' }).length > 0;
  const rows = useFieldArray({ control: form.control, name: 'environments' });

  function add() {
    const name = rows.fields.length === 0 ? 'main' : '';
    rows.append({ name, channels: [], packages: [] }, { focusName: `environments.${rows.fields.length}.name` });
  }

  return (
    <FormSection
      id="environments"
      title={t('environments')}
      text={t('environmentsText')}
      aside={!isReadOnly && <ImportButton form={form} />}
      isLast={isLast}
    >
      {rows.fields.length === 0 && <p className="text-table text-text-2">{t('noEnvironments')}</p>}
      {rows.fields.map((row, index) => (
        <EnvironmentCard key={row.id} form={form} index={index} onRemove={() => rows.remove(index)} />
      ))}
      {(rows.fields.length > 0 || hasChannels) && <ImageChannels form={form} />}
      <FieldChange name="channels" wordsOf={() => t('changedChannels')} />
      <FieldChange name="environments" wordsOf={() => t('changedEnvironments')} />
      {!isReadOnly && (
        <div>
          <Button data-path="environments" onClick={add}>
            <Plus className="size-4" aria-hidden="true" />
            {t('addEnvironment')}
          </Button>
        </div>
      )}
    </FormSection>
  );
}
