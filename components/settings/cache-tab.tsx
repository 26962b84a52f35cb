'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { z } from 'zod';
import type { SettingRecord } from '@/components/data/types';
import { FormField } from '@/components/records/form-field';
import { FormSection } from '@/components/records/form-layout';
import { readNumber } from '@/components/records/read-number';
import { RecordForm } from '@/components/records/record-form';
import { Input } from '@/components/ui/input';
import { CACHE_SIZE_KEY, CacheSize } from './cache-size';
import { applySettingProblems } from './setting-problems';
import { SettingPage } from './setting-page';
import { useSettingSource } from './use-setting';

const cacheSchema = z.object({
  directory: z.string().trim(),
  lifetime: z.number('required'),
  maxSizeMb: z.number('required'),
});
type CacheValues = z.infer<typeof cacheSchema>;

const USUAL: CacheValues = { directory: '', lifetime: 3600, maxSizeMb: 1000 };
const NUMBERS = ['lifetime', 'maxSizeMb'] as const;

function toValues(setting: SettingRecord | null): CacheValues {
  const stored: unknown = setting?.value;
  const parsed = cacheSchema.safeParse({ ...USUAL, ...(typeof stored === 'object' ? stored : {}) });
  return parsed.success ? parsed.data : USUAL;
}

/** Where and for how long what was looked up elsewhere is kept. */
export function CacheTab() {
  return <SettingPage settingKey="cache">{(setting) => <CacheForm setting={setting} />}</SettingPage>;
}

function CacheForm({ setting }: { setting: SettingRecord | null }) {
  const t = useTranslations('pages.settings.cache');
  const queries = useQueryClient();
  return (
    <RecordForm
      source={useSettingSource('cache', setting)}
      schema={cacheSchema}
      toValues={toValues}
      nameOf={() => t('name')}
      applyProblems={applySettingProblems}
      // The cache may lie elsewhere now.
      onSaved={() => void queries.invalidateQueries({ queryKey: CACHE_SIZE_KEY })}
      canEdit
      sections={(isWrong) => [
        { id: 'cache', label: t('title'), isWrong: isWrong('directory', ...NUMBERS) },
        { id: 'kept', label: t('kept') },
      ]}
      labelOf={(path) => t(`fields.${path as 'directory'}`)}
    >
      {(form) => (
        <>
          <FormSection id="cache" title={t('title')} text={t('text')}>
            <FormField form={form} name="directory" label={t('fields.directory')} hint={t('hints.directory')}>
              {(control) => (
                <Input {...control} {...form.register('directory')} isMono spellCheck={false} autoComplete="off" />
              )}
            </FormField>
            <div className="grid grid-cols-2 gap-3.5 max-sm:grid-cols-1">
              {NUMBERS.map((name) => (
                <FormField key={name} form={form} name={name} label={t(`fields.${name}`)} hint={t(`hints.${name}`)}>
                  {(control) => (
                    <Input {...control} {...form.register(name, { setValueAs: readNumber })} inputMode="numeric" />
                  )}
                </FormField>
              ))}
            </div>
          </FormSection>
          <CacheSize />
        </>
      )}
    </RecordForm>
  );
}
