'use client';

import { z } from 'zod';
import type { Collections } from '@/components/data/types';
import { Input } from '@/components/ui/input';
import { limits } from '@/lib/vocabulary/limits';
import { FormField } from './form-field';
import { FormSection } from './form-layout';
import { RecordForm } from './record-form';
import { useRecordSource } from './record-source';

const nameSchema = z.object({ name: z.string().trim().min(1, 'required').max(limits.nameLength) });
const toValues = ({ name }: { name: string }) => ({ name });

interface NameFormProps<Name extends 'volumes' | 'networks'> {
  collection: Name;
  row: Collections[Name];
  title: string;
  label: string;
  hint: string;
}

/** The form of a record of which only the name may change. */
export function NameForm<Name extends 'volumes' | 'networks'>(props: NameFormProps<Name>) {
  const { collection, row, title, label, hint } = props;
  return (
    <RecordForm
      source={useRecordSource(collection, row)}
      schema={nameSchema}
      toValues={toValues}
      nameOf={(saved) => saved.name}
      canEdit={row.can?.['modify'] === true}
      sections={(isWrong) => [{ id: 'basics', label: title, isWrong: isWrong('name') }]}
      labelOf={() => label}
    >
      {(form) => (
        <FormSection id="basics" title={title} isLast>
          <FormField form={form} name="name" label={label} hint={hint}>
            {(control) => <Input {...control} autoComplete="off" {...form.register('name')} />}
          </FormField>
        </FormSection>
      )}
    </RecordForm>
  );
}
