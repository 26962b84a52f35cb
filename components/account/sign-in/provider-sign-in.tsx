'use client';

import { ShieldCheck } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { FieldError } from '@/components/ui/field';
import { beginFlow } from './provider-flow';

interface ProviderSignInProps {
  displayName: string;
  /** Where to go afterwards. */
  target: string;
}

/** Leads to the provider's log-in page. */
export function ProviderSignIn({ displayName, target }: ProviderSignInProps) {
  const t = useTranslations('pages.provider');
  const [isBusy, setBusy] = useState(false);
  const [hasFailed, setFailed] = useState(false);

  async function go() {
    setBusy(true);
    setFailed(false);
    try {
      await beginFlow({ mode: 'signIn', target });
    } catch {
      setFailed(true);
      setBusy(false);
    }
  }

  return (
    <div className="mt-5">
      <Button size="lg" className="w-full" isBusy={isBusy} onClick={() => void go()}>
        {!isBusy && <ShieldCheck className="size-4 shrink-0" aria-hidden="true" />}
        <span className="truncate py-1">{t('continue', { provider: displayName })}</span>
      </Button>
      <div role="alert">{hasFailed && <FieldError>{t('failed', { provider: displayName })}</FieldError>}</div>
      <div className="text-small text-text-3 mt-5 flex items-center gap-3">
        <span className="bg-line-strong h-px flex-1" aria-hidden="true" />
        {t('or')}
        <span className="bg-line-strong h-px flex-1" aria-hidden="true" />
      </div>
    </div>
  );
}
