'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { ready } from '@/components/data/client';
import type { UserRecord } from '@/components/data/types';
import { useTell } from '@/components/data/use-tell';
import { Button } from '@/components/ui/button';
import { Tag } from '@/components/ui/parts';
import { OutboxNote } from '../fields/outbox-note';
import { useMailPause } from '../fields/use-mail-pause';

interface EmailStateProps {
  user: UserRecord;
  hasMailServer: boolean;
  /** The address is to be changed. */
  onChange: () => void;
}

/** One's own address, whether it is verified, and what can be done about it. */
export function EmailState({ user, hasMailServer, onChange }: EmailStateProps) {
  const t = useTranslations('pages.profile.email');
  const common = useTranslations('common');
  const tell = useTell();
  const pause = useMailPause({ isStarted: false });
  const [isBusy, setBusy] = useState(false);
  const [isSent, setSent] = useState(false);
  const email = user.email ?? '';

  async function verify() {
    setBusy(true);
    try {
      await (await ready()).collection('users').requestVerification(email);
      pause.start();
      setSent(true);
      if (hasMailServer) tell.done(t('sent'), t('sentTo', { email }));
    } catch (error) {
      tell.failed(t('failed'), error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <div className="grid gap-2.5">
      <div className="border-line-strong flex min-h-12 flex-wrap items-center gap-x-2.5 gap-y-2 rounded-md border py-2 pr-2 pl-3">
        <span className="text-table min-w-0 font-medium break-all">{email || t('none')}</span>
        {email && <Tag tone={user.verified ? 'ok' : 'warn'}>{user.verified ? t('verified') : t('notVerified')}</Tag>}
        <span className="ml-auto flex flex-wrap gap-2">
          {email && !user.verified && (
            <Button size="sm" disabled={pause.secondsLeft > 0} isBusy={isBusy} onClick={() => void verify()}>
              {pause.secondsLeft > 0 ? common('mails.again', { seconds: pause.secondsLeft }) : t('verify')}
            </Button>
          )}
          <Button size="sm" onClick={onChange}>
            {t('change')}
          </Button>
        </span>
      </div>
      {isSent && !hasMailServer && (
        <div role="status">
          <OutboxNote />
        </div>
      )}
    </div>
  );
}
