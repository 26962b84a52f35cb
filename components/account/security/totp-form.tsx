'use client';

import { useTranslations } from 'next-intl';
import { FieldError } from '@/components/ui/field';
import { CodeField } from '../fields/code-field';
import { TotpPicture } from './totp-picture';
import type { TotpSetup } from './use-totp-setup';

/** The key to take over into an app, and the field for its first code. Its button lies outside, tied by the form's id. */
export function TotpForm({ id, setup }: { id: string; setup: TotpSetup }) {
  const t = useTranslations('pages.factor.app');
  if (!setup.totp) return null;
  return (
    <form
      id={id}
      noValidate
      className="grid grid-cols-[minmax(0,1fr)] gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void setup.confirm(setup.code);
      }}
    >
      <TotpPicture totp={setup.totp} />
      <CodeField
        label={t('type')}
        value={setup.code}
        error={setup.codeError}
        onChange={setup.type}
        onComplete={(code) => void setup.confirm(code)}
      />
      <div role="alert" className="empty:hidden">
        {setup.failure && <FieldError>{setup.failure}</FieldError>}
      </div>
    </form>
  );
}
