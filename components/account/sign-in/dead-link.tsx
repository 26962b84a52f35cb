'use client';

import { Link2Off } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { SignedOutCard } from './signed-out-card';

interface DeadLinkProps {
  title?: string;
  text: string;
  isNews: boolean;
  /** What to do instead. */
  children: ReactNode;
}

/** A mailed link that does its work no more. */
export function DeadLink({ title, text, isNews, children }: DeadLinkProps) {
  const t = useTranslations('common.mails');
  return (
    <SignedOutCard
      isNews={isNews}
      icon={<Link2Off className="text-warn-text" aria-hidden="true" />}
      title={title ?? t('deadTitle')}
      text={text}
    >
      <div className="mt-5 grid gap-2.5">{children}</div>
    </SignedOutCard>
  );
}
