'use client';

import { Lock, Plus, X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { get, useFieldArray, useWatch, type UseFormReturn } from 'react-hook-form';
import { useIsReadOnly } from '@/components/records/form-access';
import { Button, IconButton } from '@/components/ui/button';
import { Input } from '@/components/ui/input';
import type { WorkspaceValues } from './workspace-schema';

interface AddressUsersProps {
  form: UseFormReturn<WorkspaceValues>;
  /** Of the address. */
  index: number;
}

/** Who is let in at an address with a password; passwords are written and never shown. */
export function AddressUsers({ form, index }: AddressUsersProps) {
  const t = useTranslations('pages.workspaces.addresses');
  const isReadOnly = useIsReadOnly();
  const users = useFieldArray({ control: form.control, name: `externalUrls.${index}.users` });
  return (
    <div className="grid gap-1.5">
      {users.fields.map((user, at) => (
        <UserRow key={user.id} form={form} index={index} at={at} onRemove={() => users.remove(at)} />
      ))}
      {!isReadOnly && (
        <Button
          variant="ghost"
          size="sm"
          className="justify-self-start"
          data-path={`externalUrls.${index}.users`}
          onClick={() => {
            form.clearErrors(`externalUrls.${index}.users`);
            users.append(
              { username: '', password: '', isKept: false },
              { focusName: `externalUrls.${index}.users.${users.fields.length}.username` },
            );
          }}
        >
          <Plus className="size-4" />
          {t('addUser')}
        </Button>
      )}
    </div>
  );
}

function UserRow({ form, index, at, onRemove }: AddressUsersProps & { at: number; onRemove: () => void }) {
  const t = useTranslations('pages.workspaces.addresses');
  const isReadOnly = useIsReadOnly();
  const path = `externalUrls.${index}.users.${at}` as const;
  const isKept = useWatch({ control: form.control, name: `${path}.isKept` });
  const isWrong = (field: string) => Boolean(get(form.formState.errors, `${path}.${field}`));
  const of = { row: index + 1, user: at + 1 };
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_40px] items-center gap-2">
      <Input
        aria-label={t('usernameOf', of)}
        aria-invalid={isWrong('username')}
        autoComplete="off"
        placeholder={t('username')}
        {...form.register(`${path}.username`)}
      />
      {isKept ? (
        <span className="text-text-3 flex min-w-0 items-center gap-2 px-2.5">
          <Lock className="size-3.5 shrink-0" aria-hidden="true" />
          <span className="truncate">{t('kept')}</span>
          {!isReadOnly && (
            <button
              type="button"
              className="text-accent-text ml-auto rounded-sm hover:underline"
              onClick={() => form.setValue(`${path}.isKept`, false, { shouldDirty: true })}
            >
              {t('replace')}
            </button>
          )}
        </span>
      ) : (
        <Input
          type="password"
          aria-label={t('passwordOf', of)}
          aria-invalid={isWrong('password')}
          autoComplete="new-password"
          placeholder={t('password')}
          {...form.register(`${path}.password`)}
        />
      )}
      {!isReadOnly && (
        <IconButton size="sm" label={t('removeUser', of)} onClick={onRemove}>
          <X className="size-3.5" />
        </IconButton>
      )}
    </div>
  );
}
