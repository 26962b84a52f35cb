'use client';

import { Plus, X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { Controller, get, useFieldArray, useWatch, type UseFormReturn } from 'react-hook-form';
import { useIsReadOnly } from '@/components/records/form-access';
import { listProblems, useProblemText } from '@/components/records/form-problems';
import { Button, IconButton } from '@/components/ui/button';
import { FieldError } from '@/components/ui/field';
import { GridCell, GridNone, GridTable } from '@/components/ui/grid-table';
import { Select } from '@/components/ui/select';
import { CONSTRAINTS, type PackageManager } from '@/lib/vocabulary/package-versions';
import type { ImageValues } from '../image-schema';
import { PackageName } from './package-name';
import { PackageVersion } from './package-version';

type Form = UseFormReturn<ImageValues>;

/** The packages of one environment, from PyPI and from its channels. */
export function PackageGrid({ form, index }: { form: Form; index: number }) {
  const t = useTranslations('pages.images.recipe');
  const isReadOnly = useIsReadOnly();
  const text = useProblemText();
  const at = `environments.${index}.packages` as const;
  const rows = useFieldArray({ control: form.control, name: at });
  const messages = [
    ...new Set(listProblems({ packages: get(form.formState.errors, at) as never }).map(({ message }) => text(message))),
  ];

  function add(manager: PackageManager, channel = '') {
    const version = { constraint: 'unconstrained' as const, specifier: '' };
    const added = { manager, channel, name: '', version, description: '', latestVersion: '' };
    rows.append(added, { focusName: `${at}.${rows.fields.length}.name` });
  }

  /** Type, Enter, type the next: a row more below the last one, from the same place. */
  function goOn(place: number) {
    if (place < rows.fields.length - 1) return form.setFocus(`${at}.${place + 1}.name`);
    const { name, manager, channel } = form.getValues(`${at}.${place}`);
    if (name.trim() !== '') add(manager, channel);
  }

  return (
    <div>
      <GridTable
        label={t('packagesOf', { row: index + 1 })}
        heads={[
          t('package'),
          t('from'),
          t('version'),
          t('specifier'),
          <span key="x" className="sr-only">
            {t('actions')}
          </span>,
        ]}
        widths={['auto', '23%', '21%', '20%', '40px']}
        footer={
          !isReadOnly &&
          (['pypi', 'conda'] as const).map((manager) => (
            <Button key={manager} variant="ghost" size="sm" data-path={at} onClick={() => add(manager)}>
              <Plus className="size-4" aria-hidden="true" />
              {t(`add.${manager}`)}
            </Button>
          ))
        }
      >
        {rows.fields.length === 0 && <GridNone columns={5}>{t('noPackages')}</GridNone>}
        {rows.fields.map((row, place) => (
          <PackageRow
            key={row.id}
            form={form}
            index={index}
            place={place}
            onRemove={() => rows.remove(place)}
            onEnter={() => goOn(place)}
          />
        ))}
      </GridTable>
      {messages.map((message) => (
        <FieldError key={message}>{message}</FieldError>
      ))}
    </div>
  );
}

interface PackageRowProps {
  form: Form;
  index: number;
  place: number;
  onRemove: () => void;
  /** On to the next package. */
  onEnter: () => void;
}

function PackageRow({ form, index, place, onRemove, onEnter }: PackageRowProps) {
  const t = useTranslations('pages.images.recipe');
  const isReadOnly = useIsReadOnly();
  const at = `environments.${index}.packages.${place}` as const;
  const row = place + 1;
  const isWrong = (field: string) => Boolean(get(form.formState.errors, `${at}.${field}`));
  return (
    <tr>
      <GridCell label={t('package')} isWrong={isWrong('name')} className="@max-md:col-span-2">
        <PackageName form={form} index={index} place={place} onEnter={onEnter} />
      </GridCell>
      <GridCell label={t('from')} isWrong={isWrong('channel')}>
        <SourceSelect form={form} index={index} place={place} />
      </GridCell>
      <GridCell label={t('version')}>
        <Controller
          control={form.control}
          name={`${at}.version.constraint`}
          render={({ field }) => (
            <Select
              isBare
              aria-label={t('versionOf', { row })}
              value={field.value}
              onValueChange={(value) => {
                field.onChange(value);
                if (value === 'unconstrained') form.setValue(`${at}.version.specifier`, '', { shouldDirty: true });
              }}
              options={CONSTRAINTS.map((value) => ({ value, label: t(`constraints.${value}`) }))}
            />
          )}
        />
      </GridCell>
      <GridCell label={t('specifier')} isWrong={isWrong('version.specifier')}>
        <PackageVersion form={form} index={index} place={place} />
      </GridCell>
      <GridCell className="text-center">
        {!isReadOnly && (
          <IconButton size="sm" label={t('removePackage', { row })} onClick={onRemove}>
            <X className="size-3.5" />
          </IconButton>
        )}
      </GridCell>
    </tr>
  );
}

const PYPI = 'pypi';

/** PyPI, any of the channels, or one of them. */
function SourceSelect({ form, index, place }: Omit<PackageRowProps, 'onRemove' | 'onEnter'>) {
  const t = useTranslations('pages.images.recipe');
  const at = `environments.${index}.packages.${place}` as const;
  const [manager, channel, channels, ofImage] = useWatch({
    control: form.control,
    name: [`${at}.manager`, `${at}.channel`, `environments.${index}.channels`, 'channels'],
  });
  const names = [...new Set([...channels.map(({ name }) => name), ...ofImage, ...(channel ? [channel] : [])])];
  return (
    <Select
      isBare
      aria-label={t('fromOf', { row: place + 1 })}
      value={manager === 'pypi' ? PYPI : `conda:${channel}`}
      onValueChange={(value) => {
        form.setValue(`${at}.manager`, value === PYPI ? 'pypi' : 'conda', { shouldDirty: true });
        form.setValue(`${at}.channel`, value === PYPI ? '' : value.slice('conda:'.length), { shouldDirty: true });
      }}
      options={[
        { value: PYPI, label: 'PyPI' },
        { value: 'conda:', label: t('anyChannel') },
        ...names.map((name) => ({ value: `conda:${name}`, label: name })),
      ]}
    />
  );
}
