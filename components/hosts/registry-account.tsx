'use client';

import { X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import { AddedName, AddRecord } from '@/components/records/add-record';
import { useIsReadOnly } from '@/components/records/form-access';
import { FormField } from '@/components/records/form-field';
import { personChoices } from '@/components/records/record-choices';
import { Button, IconButton } from '@/components/ui/button';
import { Input } from '@/components/ui/input';
import { isKept, type RegistriesValues } from './registry-schema';
import { useAccountTest } from './use-account-test';

type Form = UseFormReturn<RegistriesValues>;

interface RegistryAccountProps {
  hostId: string;
  form: Form;
  index: number;
  onRemove: () => void;
}

/** One account: where it signs in, and whom it is open to beside those who manage the host. */
export function RegistryAccount({ hostId, form, index, onRemove }: RegistryAccountProps) {
  const t = useTranslations('pages.hosts.registries');
  const isReadOnly = useIsReadOnly();
  const at = `registry_auths.${index}` as const;
  const account = useWatch({ control: form.control, name: at });
  const test = useAccountTest(hostId, account);
  const title = account.serveraddress.trim() || t('new');
  return (
    <div role="group" aria-label={t('account', { row: index + 1 })} className="rounded-card border-line-strong border">
      <div className="border-line flex h-10 items-center gap-2 border-b pr-2 pl-3.5">
        <h3 className="text-table min-w-0 truncate font-medium">{title}</h3>
        {!isReadOnly && (
          <span className="ml-auto flex items-center gap-1">
            <Button
              size="sm"
              variant="ghost"
              isBusy={test.isBusy}
              disabled={!test.isReady}
              aria-label={t('testOf', { row: index + 1 })}
              onClick={() => void test.run()}
            >
              {t('test')}
            </Button>
            <IconButton size="sm" label={t('remove', { row: index + 1 })} onClick={onRemove}>
              <X className="size-3.5" />
            </IconButton>
          </span>
        )}
      </div>
      <p role="status" className="text-table px-3.5 pt-3 break-words empty:hidden">
        {test.outcome && (
          <span className={test.outcome.isGood ? 'text-ok-text' : 'text-bad-text'}>{test.outcome.words}</span>
        )}
      </p>
      <div className="grid gap-3.5 p-3.5">
        <div className="grid grid-cols-3 gap-3.5 max-sm:grid-cols-1">
          <FormField form={form} name={`${at}.serveraddress`} label={t('fields.serveraddress')}>
            {(control) => (
              <Input
                {...control}
                isMono
                autoComplete="off"
                spellCheck={false}
                placeholder="registry.example.org"
                {...form.register(`${at}.serveraddress`)}
              />
            )}
          </FormField>
          <FormField form={form} name={`${at}.username`} label={t('fields.username')}>
            {(control) => (
              <Input {...control} autoComplete="off" spellCheck={false} {...form.register(`${at}.username`)} />
            )}
          </FormField>
          <FormField form={form} name={`${at}.password`} label={t('fields.password')}>
            {(control) => (
              <Input
                {...control}
                type="password"
                autoComplete="new-password"
                placeholder={isKept(account) ? t('kept') : ''}
                {...form.register(`${at}.password`)}
              />
            )}
          </FormField>
        </div>
        <div className="grid grid-cols-2 gap-3.5 max-sm:grid-cols-1">
          <Opened form={form} index={index} use="pull" />
          <Opened form={form} index={index} use="push" />
        </div>
      </div>
    </div>
  );
}

/** The repositories that others may use with the account, and which people those are. */
function Opened({ form, index, use }: { form: Form; index: number; use: 'pull' | 'push' }) {
  const t = useTranslations('pages.hosts.registries');
  const at = `registry_auths.${index}` as const;
  const [repositories, users] = [`${at}.${use}Repositories`, `${at}.${use}Users`] as const;
  const [opened, people] = useWatch({ control: form.control, name: [repositories, users] });
  return (
    <div className="grid content-start gap-2">
      <FormField form={form} name={repositories} label={t(`fields.${use}Repositories`)} hint={t(`hints.${use}`)}>
        {(control) => (
          <Input
            {...control}
            isMono
            autoComplete="off"
            spellCheck={false}
            placeholder={t('nobody')}
            {...form.register(repositories)}
          />
        )}
      </FormField>
      {opened.trim() !== '' && (
        <People
          label={t(`people.${use}`)}
          path={users}
          people={people}
          onChange={(ids) => form.setValue(users, ids, { shouldDirty: true })}
        />
      )}
    </div>
  );
}

interface PeopleProps {
  label: string;
  path: string;
  people: string[];
  onChange: (ids: string[]) => void;
}

function People({ label, path, people, onChange }: PeopleProps) {
  const t = useTranslations('pages.hosts.registries');
  const isReadOnly = useIsReadOnly();
  const choices = personChoices();
  return (
    <div role="group" aria-label={label} className="text-table flex flex-wrap items-center gap-1.5">
      {people.length === 0 && <span className="text-text-2">{t('everybody')}</span>}
      {people.map((id) => (
        <span
          key={id}
          className="border-line-strong flex h-7 max-w-full items-center gap-1.5 rounded-md border pr-1 pl-2"
        >
          <AddedName choices={choices} id={id} />
          {!isReadOnly && (
            <button
              type="button"
              aria-label={t('removePerson')}
              className="text-text-3 hover:text-text hover:bg-hover rounded-sm p-0.5"
              onClick={() => onChange(people.filter((each) => each !== id))}
            >
              <X className="size-3.5" aria-hidden="true" />
            </button>
          )}
        </span>
      ))}
      {!isReadOnly && (
        <AddRecord
          choices={choices}
          label={t('addPerson')}
          searchLabel={t('searchPeople')}
          emptyText={t('noPeople')}
          path={path}
          isDisabled={false}
          onAdd={(id) => onChange([...new Set([...people, id])])}
        />
      )}
    </div>
  );
}
