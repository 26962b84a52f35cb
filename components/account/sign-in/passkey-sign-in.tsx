'use client';

import { KeyRound } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { statusOf } from '@/components/data/problems';
import { Button } from '@/components/ui/button';
import { FieldError } from '@/components/ui/field';
import { signInByPasskey } from '../security/factor-calls';
import { usePasskeyTrouble, usePasskeyWords } from '../security/use-passkeys';

/** Logs in without a name or password; not there where the browser has no passkeys. */
export function PasskeySignIn({ target }: { target: string }) {
  const t = useTranslations('pages.login');
  const router = useRouter();
  const trouble = usePasskeyTrouble();
  const words = usePasskeyWords();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  if (trouble !== undefined) return null;

  async function logIn() {
    setBusy(true);
    setFailure(undefined);
    try {
      await signInByPasskey();
      router.replace(target);
      router.refresh();
    } catch (error) {
      setFailure(statusOf(error) === 400 ? words.ofTrouble('failed') : words.ofError(error));
      setBusy(false);
    }
  }

  return (
    <div className="mt-2.5">
      <Button size="lg" className="w-full" isBusy={isBusy} onClick={() => void logIn()}>
        {!isBusy && <KeyRound className="size-4" aria-hidden="true" />}
        {t('passkey')}
      </Button>
      <div role="alert">{failure && <FieldError>{failure}</FieldError>}</div>
    </div>
  );
}
