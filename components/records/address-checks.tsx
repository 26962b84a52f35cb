'use client';

import { TriangleAlert } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { useQuestion } from '@/components/data/use-question';
import { Notice } from '@/components/ui/notice';
import { Skeleton } from '@/components/ui/parts';
import { CheckList } from './check-list';

export interface AddressReport {
  state: 'ok' | 'warning' | 'error';
  checks: {
    /** A name among the messages. */
    code: 'name' | 'wildcard' | 'http' | 'https' | 'certificate' | 'router' | 'port';
    state: 'ok' | 'warning' | 'error' | 'skipped';
    found: string;
    cure: string;
  }[];
}

interface AddressChecksProps {
  label: string;
  question: Pick<ReturnType<typeof useQuestion<AddressReport>>, 'answer' | 'problem' | 'isAsking'>;
  /** Said as long as nobody has asked. */
  text?: string;
}

/** What was found of the way to an address, and what to do about it. */
export function AddressChecks({ label, question, text }: AddressChecksProps) {
  const t = useTranslations('pages.addressChecks');
  const { answer, problem, isAsking } = question;
  const isUnasked = !answer && !isAsking && problem === '';
  const count = answer?.checks.filter(({ state }) => state === answer.state).length ?? 0;
  return (
    <div aria-live="polite" aria-busy={isAsking}>
      {isUnasked && text && <p className="text-table text-text-2 px-3.5 pb-3">{text}</p>}
      {!answer && isAsking && <Skeleton className="mx-3.5 mb-3.5 h-24" />}
      {problem !== '' && (
        <Notice tone="bad" icon={<TriangleAlert />} className="mx-3.5 mb-3.5">
          {problem}
        </Notice>
      )}
      {answer && (
        <>
          <p className="text-table text-text-2 px-3.5 pb-3">{t(`summary.${answer.state}`, { count })}</p>
          <CheckList
            label={label}
            findings={answer.checks.map(({ code, ...check }) => ({
              ...check,
              name: t(`names.${code}`),
              stateWords: t(`states.${check.state}`),
            }))}
          />
        </>
      )}
    </div>
  );
}
