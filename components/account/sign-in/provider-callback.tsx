'use client';

import { TriangleAlert } from 'lucide-react';
import Link from 'next/link';
import { useRouter, useSearchParams } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { useEffect, useState, type ReactNode } from 'react';
import { Button } from '@/components/ui/button';
import { BusyArc } from '@/components/ui/glyph';
import { paths } from '@/lib/paths';
import { endFlow, type FlowEnd } from './provider-flow';
import { SignInRest } from './sign-in-rest';
import { SignedOutCard } from './signed-out-card';

/** Where the provider sends people back to: goes on when all is well, and says what is not. */
export function ProviderCallback() {
  const t = useTranslations('pages.provider.callback');
  const login = useTranslations('pages.login');
  const router = useRouter();
  const search = useSearchParams();
  // As it was: the answer is taken out of the address below.
  const [query] = useState(() => search.toString());
  const [end, setEnd] = useState<FlowEnd>();

  useEffect(() => {
    let isGone = false;
    void endFlow(new URLSearchParams(query)).then((ended) => {
      if (isGone) return;
      // What came from the provider must stay neither in the history nor in the address.
      if (ended.kind === 'done') {
        router.replace(ended.target);
        router.refresh();
        return;
      }
      window.history.replaceState(null, '', paths.loginCallback);
      setEnd(ended);
    });
    return () => {
      isGone = true;
    };
  }, [query, router]);

  if (end?.kind === 'more') {
    const { displayName, mode, need, target } = end;
    const restart = (why: 'back' | 'expired') => {
      if (why === 'back') router.replace(paths.login(target));
      else setEnd({ displayName, mode, kind: 'failed', message: login('expired') });
    };
    return <SignInRest need={need} target={target} onRestart={restart} />;
  }
  if (end && end.kind !== 'done') return <Failure end={end} />;
  return (
    <SignedOutCard
      title={t('title')}
      text={
        <span role="status" className="mt-2 flex items-center gap-2">
          <BusyArc />
          {t('busy')}
        </span>
      }
    />
  );
}

type Failed = Exclude<FlowEnd, { kind: 'done' | 'more' }>;

function Failure({ end }: { end: Failed }) {
  const t = useTranslations('pages.provider.callback');
  const { title, text } = useWords(end);
  const isLinking = end.mode === 'link';
  const back = isLinking ? paths.profileTab('external-accounts') : paths.login();
  return (
    <SignedOutCard isNews icon={<TriangleAlert className="text-bad" aria-hidden="true" />} title={title} text={text}>
      <div className="mt-5 flex flex-wrap gap-2">
        <Button asChild variant="primary">
          <Link href={back}>{t('again')}</Link>
        </Button>
        {isLinking && (
          <Button asChild>
            <Link href={paths.profile}>{t('toProfile')}</Link>
          </Button>
        )}
      </div>
    </SignedOutCard>
  );
}

function useWords(end: Failed): { title: string; text: ReactNode } {
  const t = useTranslations('pages.provider.callback');
  const pages = useTranslations('pages.provider');
  const provider = end.displayName || 'SSO';
  switch (end.kind) {
    case 'mismatch':
      return { title: t('mismatchTitle'), text: t('mismatchText') };
    case 'denied':
      return { title: t('deniedTitle'), text: t('deniedText', { provider }) };
    case 'refused':
      return { title: t('refusedTitle', { provider }), text: t('refusedText', { error: end.error }) };
    case 'missing':
      return { title: t('missingTitle'), text: t('missingText') };
    default:
      return {
        title: t(end.mode === 'link' ? 'linkFailedTitle' : 'failedTitle'),
        text: end.message?.replace(/^Failed to authenticate\. (?=.)/, '') ?? pages('failed', { provider }),
      };
  }
}
