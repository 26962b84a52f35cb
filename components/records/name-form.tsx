'use client';

import { useTranslations } from 'next-intl';
import { z } from 'zod';
import type { Collections } from '@/components/data/types';
import { Input } from '@/components/ui/input';
import { limits } from '@/lib/vocabulary/limits';
import { FormField } from './form-field';
import { FormSection } from './form-layout';
import { RecordForm } from './record-form';
import { useRecordSource } from './record-source';
import { TagField } from './tags/tag-field';
import { tagsSchema } from './tags/tags-schema';

const nameSchema = z.object({ name: z.string().trim().min(1, 'required').max(limits.nameLength), tags: tagsSchema });
const toValues = ({ name, tags }: { name: string; tags: string[] }) => ({ name, tags });

interface NameFormProps<Name extends 'volumes' | 'networks'> {
  collection: Name;
  row: Collections[Name];
  title: string;
  label: string;
  hint: string;
}

/** The form of a record of which only the name and the tags may change. */
export function NameForm<Name extends 'volumes' | 'networks'>(props: NameFormProps<Name>) {
  const { collection, row, title, label, hint } = props;
  const t = useTranslations('common.tags');
  return (
    <RecordForm
      source={useRecordSource(collection, row)}
      schema={nameSchema}
      toValues={toValues}
      nameOf={(saved) => saved.name}
      canEdit={row.can?.['modify'] === true}
      sections={(isWrong) => [{ id: 'basics', label: title, isWrong: isWrong('name', 'tags') }]}
      labelOf={(path) => (path.startsWith('tags') ? t('label') : label)}
    >
      {(form) => (
        <FormSection id="basics" title={title} isLast>
          <FormField form={form} name="name" label={label} hint={hint}>
            {(control) => <Input {...control} autoComplete="off" {...form.register('name')} />}
          </FormField>
          <TagField form={form} />
        </FormSection>
      )}
    </RecordForm>
  );
}
