'use client';

import { X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Controller, get, useWatch, type UseFormReturn } from 'react-hook-form';
import { AddedName } from '@/components/records/add-record';
import { useIsReadOnly } from '@/components/records/form-access';
import type { RecordChoices } from '@/components/records/record-choices';
import { RecordPickerList } from '@/components/records/record-picker';
import { IconButton } from '@/components/ui/button';
import { GridCell, GridInput } from '@/components/ui/grid-table';
import { Popover } from '@/components/ui/popover';
import { Select } from '@/components/ui/select';
import { URL_AUTHENTICATIONS } from '@/lib/vocabulary/workspace';
import { AddressUsers } from './address-users';
import type { WorkspaceValues } from './workspace-schema';

interface AddressRowProps {
  form: UseFormReturn<WorkspaceValues>;
  index: number;
  choices: RecordChoices<'domains'>;
  onRemove: () => void;
}

/** One address; who is let in there stands below it. */
export function AddressRow({ form, index, choices, onRemove }: AddressRowProps) {
  const t = useTranslations('pages.workspaces.addresses');
  const isReadOnly = useIsReadOnly();
  const at = `externalUrls.${index}` as const;
  const authentication = useWatch({ control: form.control, name: `${at}.authentication` });
  const row = index + 1;
  const isWrong = (field: string) => Boolean(get(form.formState.errors, `${at}.${field}`));
  const select = (name: 'scheme' | 'authentication', label: string, options: { value: string; label: string }[]) => (
    <Controller
      control={form.control}
      name={`${at}.${name}`}
      render={({ field }) => (
        <Select isBare aria-label={label} value={field.value} onValueChange={field.onChange} options={options} />
      )}
    />
  );
  return (
    <>
      <tr>
        <GridCell label={t('scheme')}>
          {select('scheme', t('schemeOf', { row }), [
            { value: 'https', label: 'https' },
            { value: 'http', label: 'http' },
          ])}
        </GridCell>
        <GridCell label={t('subdomain')} isWrong={isWrong('subdomain')}>
          <GridInput
            aria-label={t('subdomainOf', { row })}
            aria-invalid={isWrong('subdomain')}
            placeholder={t('noSubdomain')}
            {...form.register(`${at}.subdomain`)}
          />
        </GridCell>
        <GridCell label={t('domain')} isWrong={isWrong('domain')} className="@max-md:col-span-2">
          <DomainPicker form={form} index={index} choices={choices} isWrong={isWrong('domain')} />
        </GridCell>
        <GridCell label={t('port')} isWrong={isWrong('port')}>
          <GridInput
            aria-label={t('portOf', { row })}
            aria-invalid={isWrong('port')}
            inputMode="numeric"
            placeholder="8080"
            {...form.register(`${at}.port`)}
          />
        </GridCell>
        <GridCell label={t('authentication')} isWrong={isWrong('users')}>
          {select(
            'authentication',
            t('authenticationOf', { row }),
            URL_AUTHENTICATIONS.map((value) => ({ value, label: t(`by.${value}`) })),
          )}
        </GridCell>
        <GridCell className="text-center">
          {!isReadOnly && (
            <IconButton size="sm" label={t('remove', { row })} onClick={onRemove}>
              <X className="size-3.5" />
            </IconButton>
          )}
        </GridCell>
      </tr>
      {authentication !== 'none' && (
        <tr>
          <td colSpan={6} className="border-line bg-sunken border-t px-2.5 py-1.5 @max-md:col-span-3 @max-md:border-0">
            {authentication === 'basic' ? (
              <AddressUsers form={form} index={index} />
            ) : (
              <p className="text-small text-text-3">{t('internalHint')}</p>
            )}
          </td>
        </tr>
      )}
    </>
  );
}

function DomainPicker({ form, index, choices, isWrong }: Omit<AddressRowProps, 'onRemove'> & { isWrong: boolean }) {
  const t = useTranslations('pages.workspaces.addresses');
  const [isOpen, setOpen] = useState(false);
  const isReadOnly = useIsReadOnly();
  const at = `externalUrls.${index}.domain` as const;
  const domain = useWatch({ control: form.control, name: at });
  const name = domain ? (
    <AddedName choices={choices} id={domain} />
  ) : (
    <span className="text-text-3 truncate">{t('pickDomain')}</span>
  );
  if (isReadOnly) return <span className="flex min-w-0 items-center gap-2 px-2.5">{name}</span>;
  return (
    <Popover
      isOpen={isOpen}
      onOpenChange={setOpen}
      label={t('search')}
      className="w-72 overflow-hidden"
      trigger={
        <button
          type="button"
          data-inset=""
          aria-label={t('domainOf', { row: index + 1 })}
          data-invalid={isWrong ? '' : undefined}
          data-path={at}
          className="flex h-full w-full min-w-0 items-center gap-2 px-2.5 text-left"
        >
          {name}
        </button>
      }
    >
      <RecordPickerList
        choices={choices}
        value={domain}
        searchLabel={t('search')}
        emptyText={t('noDomain')}
        onPick={(id) => {
          setOpen(false);
          form.clearErrors(at);
          form.setValue(at, id, { shouldDirty: true });
        }}
      />
    </Popover>
  );
}
