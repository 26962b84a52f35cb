'use client';

import { ShieldX } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useEffect, useRef, useState } from 'react';
import { api, type AuthAnswer } from '@/components/data/client';
import { statusOf } from '@/components/data/problems';
import { Button } from '@/components/ui/button';
import { BusyArc } from '@/components/ui/glyph';
import { paths } from '@/lib/paths';
import { SignedOutCard } from './signed-out-card';

interface VerifyProps {
  username: string;
  state: string;
  csrfToken: string;
}

/** Tells the console who wants to open an address of a workspace, and goes there. */
export function Verify({ username, state, csrfToken }: VerifyProps) {
  const t = useTranslations('pages.verify');
  const [isDenied, setIsDenied] = useState(false);
  const isAsked = useRef(false);

  useEffect(() => {
    // A state counts once.
    if (isAsked.current) return;
    isAsked.current = true;
    askToOpen(state, csrfToken).then(
      (address) => window.location.replace(address),
      // Nothing else is told: what the page says already is all that can be done about it.
      (error: unknown) => setIsDenied(statusOf(error) === 403),
    );
  }, [state, csrfToken]);

  if (isDenied) {
    return (
      <SignedOutCard
        isNews
        icon={<ShieldX className="text-bad" aria-hidden="true" />}
        title={t('denied')}
        text={t('deniedText', { username })}
      >
        <Button asChild className="mt-5">
          <Link href={paths.home}>{t('home')}</Link>
        </Button>
      </SignedOutCard>
    );
  }
  return (
    <SignedOutCard
      title={t('title')}
      text={
        <>
          <span role="status" className="mt-2 flex items-center gap-2">
            <BusyArc />
            {t('busy')}
          </span>
          <p className="text-small mt-3">{t('hint')}</p>
        </>
      }
    />
  );
}

/** With a token of the page's own session: the one that the browser keeps may be of an older log-in. */
async function askToOpen(state: string, csrfToken: string): Promise<string> {
  const { token } = await api().send<AuthAnswer>('/api/session/token', { method: 'POST', body: {} });
  const { address } = await api().send<{ address: string }>('/api/verify', {
    method: 'POST',
    body: { authToken: token, state, csrf_token: csrfToken },
  });
  return address;
}
