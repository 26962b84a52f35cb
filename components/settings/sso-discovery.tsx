'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { ready } from '@/components/data/client';
import { fieldProblems } from '@/components/data/problems';
import { useTell } from '@/components/data/use-tell';
import { Button } from '@/components/ui/button';
import { Field } from '@/components/ui/field';
import { Input } from '@/components/ui/input';
import type { SsoValues } from './sso-values';

interface Discovered {
  authUrl: string;
  tokenUrl: string;
  userInfoUrl: string;
  pkce?: boolean;
}

/** Takes the addresses from what the provider itself publishes under its issuer. */
export function SsoDiscovery({ form }: { form: UseFormReturn<SsoValues> }) {
  const t = useTranslations('pages.settings.sso');
  const common = useTranslations('common');
  const tell = useTell();
  const [issuer, setIssuer] = useState('');
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  async function fill() {
    setBusy(true);
    setError(undefined);
    try {
      const options = { method: 'POST', body: { issuer: issuer.trim() } };
      const { pkce, ...addresses } = await (await ready()).send<Discovered>('/api/console/discover-sso', options);
      for (const name of ['authUrl', 'tokenUrl', 'userInfoUrl'] as const) {
        form.setValue(name, addresses[name], { shouldDirty: true, shouldValidate: true });
      }
      if (pkce) form.setValue('pkce', true, { shouldDirty: true });
      tell.done(t('filled'));
    } catch (thrown) {
      const problem = fieldProblems(thrown)[0]?.message;
      if (problem) setError(problem);
      else tell.failed(common('errors.general'), thrown);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Field label={t('fields.issuer')} hint={t('issuerHint')} error={error} note={common('optional')}>
      {(control) => (
        <div className="flex gap-2">
          <Input
            {...control}
            isMono
            type="url"
            autoComplete="off"
            placeholder="https://id.example.org"
            value={issuer}
            onChange={(event) => setIssuer(event.target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              event.preventDefault();
              void fill();
            }}
          />
          <Button isBusy={isBusy} disabled={issuer.trim() === ''} onClick={() => void fill()}>
            {t('fill')}
          </Button>
        </div>
      )}
    </Field>
  );
}
