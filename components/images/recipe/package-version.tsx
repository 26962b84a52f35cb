'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Controller, get, useWatch, type UseFormReturn } from 'react-hook-form';
import { useIsReadOnly } from '@/components/records/form-access';
import { Combobox } from '@/components/ui/combobox';
import type { ImageValues } from '../image-schema';
import { usePackageFacts } from './use-packages';
import { usePlace } from './use-place';

/** So many versions are listed at once; typing finds the others. */
const SHOWN_MAX = 50;

interface PackageVersionProps {
  form: UseFormReturn<ImageValues>;
  index: number;
  place: number;
}

/** The number that a version is bound by: anything may be typed, and the known ones are suggested, the newest first. */
export function PackageVersion({ form, index, place }: PackageVersionProps) {
  const t = useTranslations('pages.images.recipe');
  const isReadOnly = useIsReadOnly();
  const at = `environments.${index}.packages.${place}` as const;
  const where = usePlace(form, index, place);
  const [name, constraint, latest] = useWatch({
    control: form.control,
    name: [`${at}.name`, `${at}.version.constraint`, `${at}.latestVersion`],
  });
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const isFree = constraint === 'unconstrained';
  const isListed = !isFree && constraint !== 'custom';
  const { facts, failure } = usePackageFacts(where, name, isOpen && isListed);
  const fitting = (facts?.versions ?? []).filter((version) => version.startsWith(typed.trim()));
  const options = (isListed ? fitting : [])
    .slice(0, SHOWN_MAX)
    .map((value) => ({ value, ...(value === facts?.latestVersion && { note: t('search.latest') }) }));

  function messageFor() {
    if (!isListed) return undefined;
    if (failure) return `${failure} ${t('search.unreachableVersion')}`;
    if (facts?.state === 'loading') return t('search.loading');
    if (facts?.state === 'unreachable') return `${facts.message} ${t('search.unreachableVersion')}`;
    return facts && facts.versions.length === 0 ? t('search.noVersions') : undefined;
  }

  return (
    <Controller
      control={form.control}
      name={`${at}.version.specifier`}
      render={({ field }) => (
        <Combobox
          ref={field.ref}
          name={field.name}
          label={t('specifierOf', { row: place + 1 })}
          listLabel={t('search.versions', { name })}
          placeholder={isFree ? latest : constraint === 'custom' ? '>=1.2,<2' : latest || '1.2'}
          isInvalid={Boolean(get(form.formState.errors, `${at}.version.specifier`))}
          readOnly={isReadOnly || isFree}
          value={field.value}
          onChange={(text) => {
            setTyped(text);
            field.onChange(text);
          }}
          onPick={({ value }) => {
            setTyped('');
            field.onChange(value);
          }}
          onBlur={() => {
            setTyped('');
            field.onBlur();
          }}
          onOpenChange={setOpen}
          opensOnFocus
          options={options}
          message={messageFor()}
        />
      )}
    />
  );
}
