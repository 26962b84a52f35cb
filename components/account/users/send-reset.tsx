'use client';

import { KeyRound } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { ready } from '@/components/data/client';
import type { UserRecord } from '@/components/data/types';
import { useTell } from '@/components/data/use-tell';
import { Button } from '@/components/ui/button';
import { useMailPause } from '../fields/use-mail-pause';

/** Mails a person the link that sets a new password. */
export function SendReset({ user, hasMailServer }: { user: UserRecord; hasMailServer: boolean }) {
  const t = useTranslations('pages.users.reset');
  const mails = useTranslations('common.mails');
  const tell = useTell();
  const pause = useMailPause({ isStarted: false });
  const [isBusy, setBusy] = useState(false);
  const email = user.email ?? '';

  async function send() {
    setBusy(true);
    try {
      await (await ready()).collection('users').requestPasswordReset(email);
      pause.start();
      if (hasMailServer) tell.done(t('sent'), t('sentTo', { email }));
      else tell.warned(t('notSent', { email }), mails('outbox'));
    } catch (error) {
      tell.failed(t('failed'), error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Button disabled={pause.secondsLeft > 0} isBusy={isBusy} onClick={() => void send()}>
      <KeyRound className="size-4" aria-hidden="true" />
      <span className="max-sm:sr-only">
        {pause.secondsLeft > 0 ? mails('again', { seconds: pause.secondsLeft }) : t('button')}
      </span>
    </Button>
  );
}
