'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useRef, useState } from 'react';
import { Controller, get, useWatch, type UseFormReturn } from 'react-hook-form';
import { useIsReadOnly } from '@/components/records/form-access';
import { Combobox, type ComboboxOption } from '@/components/ui/combobox';
import type { ImageValues } from '../image-schema';
import { nameOnIndex, packageFacts, usePackageFacts, usePackageSearch } from './use-packages';
import { usePlace } from './use-place';

interface PackageNameProps {
  form: UseFormReturn<ImageValues>;
  index: number;
  place: number;
  /** On to the next package. */
  onEnter: () => void;
}

/** The name of a package: anything may be typed, and what the index has is suggested. */
export function PackageName({ form, index, place, onEnter }: PackageNameProps) {
  const t = useTranslations('pages.images.recipe');
  const isReadOnly = useIsReadOnly();
  const queries = useQueryClient();
  const at = `environments.${index}.packages.${place}` as const;
  const where = usePlace(form, index, place);
  const [name, description] = useWatch({ control: form.control, name: [`${at}.name`, `${at}.description`] });
  const [isOpen, setOpen] = useState(false);
  const [marked, setMarked] = useState('');
  const looked = useRef(name);
  const { found, failure, isFetching } = usePackageSearch(where, name, isOpen);
  const { facts } = usePackageFacts(where, marked, isOpen && where.manager === 'pypi');
  const options = (found?.items ?? []).map((item) => ({
    value: item.name,
    detail: item.description || (facts?.name === item.name ? facts.description : ''),
    note: item.latestVersion || (facts?.name === item.name ? facts.latestVersion : ''),
  }));

  function set(text: string) {
    form.setValue(`${at}.name`, text, { shouldDirty: true, shouldValidate: form.formState.isSubmitted });
    tell('', '');
  }
  function tell(said: string, latest: string) {
    form.setValue(`${at}.description`, said, { shouldDirty: true });
    form.setValue(`${at}.latestVersion`, latest, { shouldDirty: true });
  }
  /** What the index says of it is kept with it, once it is known. */
  async function look(taken: string) {
    const asked = nameOnIndex(taken);
    if (asked === '' || looked.current === taken) return;
    looked.current = taken;
    const told = await queries.fetchQuery(packageFacts(where, asked)).catch(() => undefined);
    if (told?.latestVersion && form.getValues(`${at}.name`) === taken) tell(told.description, told.latestVersion);
  }
  function pick({ value }: ComboboxOption) {
    set(value);
    void look(value);
  }

  return (
    <Controller
      control={form.control}
      name={`${at}.name`}
      render={({ field }) => (
        <Combobox
          ref={field.ref}
          name={field.name}
          label={t('packageOf', { row: place + 1 })}
          listLabel={t('search.results')}
          placeholder="numpy"
          title={description || undefined}
          isInvalid={Boolean(get(form.formState.errors, `${at}.name`))}
          readOnly={isReadOnly}
          value={field.value}
          onChange={set}
          onPick={pick}
          onEnter={() => {
            void look(name);
            onEnter();
          }}
          onBlur={() => {
            field.onBlur();
            void look(name);
          }}
          onOpenChange={setOpen}
          onMark={(option) => setMarked(option?.value ?? '')}
          options={options}
          message={messageFor()}
        />
      )}
    />
  );

  function messageFor() {
    if (failure) return `${failure} ${t('search.unreachable')}`;
    if (found?.state === 'loading') return t('search.loading');
    if (found?.state === 'unreachable') return `${found.message} ${t('search.unreachable')}`;
    return found && options.length === 0 && !isFetching ? t('search.none') : undefined;
  }
}
