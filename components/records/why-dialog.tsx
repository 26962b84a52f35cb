'use client';

import clsx from 'clsx';
import { Check, X } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { messageOf } from '@/components/data/problems';
import { useRecordIfAny } from '@/components/data/records';
import { Dialog } from '@/components/ui/dialog';
import { Skeleton } from '@/components/ui/parts';
import { Grounds } from './grounds';
import { displayName } from './person';
import { useWhy, type Ground, type WhyQuestion } from './use-why';

const ACTS = [
  'view',
  'deploy',
  'attach',
  'build',
  'modify',
  'delete',
  'share',
  'canCreateWorkspaces',
  'canCreateImages',
  'canCreateBindMounts',
  'canCreateVolumeMounts',
  'canCreateNetworks',
] as const;

/** Why a person may do what here, act by act. */
export function WhyDialog({ onClose, ...question }: WhyQuestion & { onClose: () => void }) {
  const t = useTranslations('pages.rights');
  const common = useTranslations('common');
  const { data, error } = useWhy(question);
  const user = useRecordIfAny('users', question.userId);
  const name = user ? displayName(user) : '…';
  const answered = ACTS.flatMap((act) => {
    const answer = data?.acts.find((each) => each.act === act);
    return answer ? [{ ...answer, act }] : [];
  });
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={t('title', { name })}
      description={t('text')}
      closeLabel={common('actions.close')}
    >
      {error && <p className="text-bad">{messageOf(error) ?? common('errors.general')}</p>}
      {!data && !error && <Skeleton className="h-40" />}
      {data && (
        <ul className="divide-line divide-y">
          {answered.map(({ act, may, grounds }) => (
            <Answer key={act} may={may} grounds={grounds} name={name}>
              {t(`acts.${act}`, { name, may: may ? 'yes' : 'no' })}
            </Answer>
          ))}
          {data.addresses.map(({ url, may, grounds }) => (
            <Answer key={url} may={may} grounds={grounds} name={name}>
              {t('acts.open', { name, may: may ? 'yes' : 'no', url })}
            </Answer>
          ))}
        </ul>
      )}
      {data?.isWithoutAdmins && <p className="text-small text-text-3 mt-3">{t('withoutAdmins')}</p>}
    </Dialog>
  );
}

interface AnswerProps {
  may: boolean;
  grounds: Ground[];
  name: string;
  children: ReactNode;
}

function Answer({ may, grounds, name, children }: AnswerProps) {
  const Mark = may ? Check : X;
  return (
    <li className="text-table flex gap-2.5 py-2">
      <Mark className={clsx('mt-0.5 size-4 shrink-0', may ? 'text-ok' : 'text-text-3')} aria-hidden="true" />
      <div className="min-w-0">
        <p className="font-medium break-words">{children}</p>
        <Grounds grounds={grounds} name={name} />
      </div>
    </li>
  );
}
