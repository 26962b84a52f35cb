'use client';

import { useTranslations } from 'next-intl';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import { FieldChange } from '@/components/records/field-change';
import { FormField, FormSwitch } from '@/components/records/form-field';
import { FormSection } from '@/components/records/form-layout';
import { readNumber } from '@/components/records/read-number';
import { Input } from '@/components/ui/input';
import type { ImageValues } from '../image-schema';

interface SectionProps {
  form: UseFormReturn<ImageValues>;
  isLast?: boolean;
}

const NAMES = ['name', 'group'] as const;
const IDS = ['uid', 'gid'] as const;
const STAND_INS = { uid: '1000', gid: '1000', name: 'user', group: 'user' } as const;

/** The user that containers of the image run as. */
export function UserSection({ form, isLast = false }: SectionProps) {
  const t = useTranslations('pages.images.recipe');
  const isAdded = useWatch({ control: form.control, name: 'userConfiguration.isAdded' });
  return (
    <FormSection id="user" title={t('user')} isLast={isLast}>
      <FormSwitch form={form} name="userConfiguration.isAdded" label={t('addUser')} hint={t('addUserHint')} />
      {isAdded && (
        <div className="grid grid-cols-2 gap-3.5 max-sm:grid-cols-1">
          {NAMES.map((name, index) => (
            <div key={name} className="contents">
              <FormField form={form} name={`userConfiguration.${name}`} label={t(`users.${name}`)}>
                {(control) => (
                  <Input
                    {...control}
                    isMono
                    autoComplete="off"
                    spellCheck={false}
                    placeholder={STAND_INS[name]}
                    {...form.register(`userConfiguration.${name}`)}
                  />
                )}
              </FormField>
              <IdField form={form} name={IDS[index]!} />
            </div>
          ))}
        </div>
      )}
      <FieldChange name="userConfiguration" wordsOf={() => t('changedUser')} />
    </FormSection>
  );
}

function IdField({ form, name }: { form: UseFormReturn<ImageValues>; name: 'uid' | 'gid' }) {
  const t = useTranslations('pages.images.recipe');
  return (
    <FormField form={form} name={`userConfiguration.${name}`} label={t(`users.${name}`)}>
      {(control) => (
        <Input
          {...control}
          inputMode="numeric"
          autoComplete="off"
          placeholder={STAND_INS[name]}
          {...form.register(`userConfiguration.${name}`, { setValueAs: readNumber })}
        />
      )}
    </FormField>
  );
}
