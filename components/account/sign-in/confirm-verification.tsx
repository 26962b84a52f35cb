'use client';

import { CircleCheck, MailQuestion } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { api } from '@/components/data/client';
import { fieldProblems, isToldElsewhere, messageOf } from '@/components/data/problems';
import { Button } from '@/components/ui/button';
import { FieldError } from '@/components/ui/field';
import { paths } from '@/lib/paths';
import { DeadLink } from './dead-link';
import { SignedOutCard } from './signed-out-card';

interface ConfirmVerificationProps {
  token: string;
  link: { state: 'good' | 'done' | 'dead'; email: string };
}

/** Confirms an address, by a button: what checks mails for viruses opens their links too. */
export function ConfirmVerification({ token, link }: ConfirmVerificationProps) {
  const t = useTranslations('pages.confirmVerification');
  const common = useTranslations('common');
  const [state, setState] = useState(link.state);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();

  async function confirm() {
    setBusy(true);
    setFailure(undefined);
    try {
      await api().collection('users').confirmVerification(token);
      setState('done');
    } catch (error) {
      if (fieldProblems(error).some(({ path }) => path === 'token')) setState('dead');
      else if (!isToldElsewhere(error)) setFailure(messageOf(error) ?? common('errors.general'));
    } finally {
      setBusy(false);
    }
  }

  const isNews = state !== link.state;
  if (state === 'dead') {
    return (
      <DeadLink text={t('dead')} isNews={isNews}>
        <Button asChild variant="primary" size="lg">
          <Link href={paths.profile}>{t('toProfile')}</Link>
        </Button>
      </DeadLink>
    );
  }
  const email = () => <b className="text-text font-medium">{link.email}</b>;
  if (state === 'done') {
    return (
      <SignedOutCard
        isNews={isNews}
        icon={<CircleCheck className="text-ok-text" aria-hidden="true" />}
        title={t('done.title')}
        text={t.rich('done.text', { email })}
      >
        <Button asChild variant="primary" size="lg" className="mt-5 w-full">
          <Link href={paths.home}>{t('done.go')}</Link>
        </Button>
      </SignedOutCard>
    );
  }
  return (
    <SignedOutCard
      icon={<MailQuestion className="text-accent-text" aria-hidden="true" />}
      title={t('title')}
      text={t.rich('text', { email })}
    >
      <div className="mt-5 grid gap-2.5">
        <div role="alert">{failure && <FieldError>{failure}</FieldError>}</div>
        <Button variant="primary" size="lg" isBusy={isBusy} onClick={() => void confirm()}>
          {t('submit')}
        </Button>
      </div>
    </SignedOutCard>
  );
}
