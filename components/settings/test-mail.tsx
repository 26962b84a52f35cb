'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { ready } from '@/components/data/client';
import { fieldProblems } from '@/components/data/problems';
import { useViewer } from '@/components/data/session-provider';
import { useTell } from '@/components/data/use-tell';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';

/** Sends a mail to an address of the admin's choice; what the mail server says is shown. */
export function TestMail({ isOutbox }: { isOutbox: boolean }) {
  const t = useTranslations('pages.settings.general');
  const tell = useTell();
  const [email, setEmail] = useState(useViewer().email);
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  async function send() {
    setBusy(true);
    setError(undefined);
    try {
      await (await ready()).send('/api/console/test-mail', { method: 'POST', body: { email } });
      tell.done(isOutbox ? t('testWritten') : t('testSent', { email }));
    } catch (thrown) {
      const problem = fieldProblems(thrown)[0]?.message;
      if (problem) setError(problem);
      else tell.failed(t('testFailed'), thrown);
    } finally {
      setBusy(false);
    }
  }

  return (
    <form
      noValidate
      className="border-line grid gap-2.5 border-t px-3.5 py-3"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <Field label={t('testTo')} error={error}>
        {(control) => (
          <div className="flex gap-2 max-sm:flex-wrap">
            <Input
              {...control}
              type="email"
              autoComplete="email"
              value={email}
              onChange={(event) => setEmail(event.target.value)}
            />
            <Button type="submit" isBusy={isBusy}>
              {t('test')}
            </Button>
          </div>
        )}
      </Field>
    </form>
  );
}
