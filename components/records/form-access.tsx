'use client';

import { Eye } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { createContext, useContext } from 'react';
import { useRecordIfAny } from '@/components/data/records';
import { useViewer } from '@/components/data/session-provider';
import { Notice } from '@/components/ui/notice';
import { displayName } from './person';

const FormAccessContext = createContext({ isReadOnly: false });
export const FormAccessProvider = FormAccessContext.Provider;

/** Whether the form around only shows what is stored. */
export function useIsReadOnly(): boolean {
  return useContext(FormAccessContext).isReadOnly;
}

/** Whom to ask for what one may not do: who made the record, where the viewer may see them, or an admin. */
export function useWhomToAsk(creatorId: string): string {
  const t = useTranslations('common.ask');
  const viewer = useViewer();
  const creator = useRecordIfAny('users', creatorId === viewer.id ? '' : creatorId);
  return creator ? t('creator', { name: displayName(creator) }) : t('admin');
}

/** Above a form that the viewer may read and not change. */
export function ReadOnlyNotice({ creatorId }: { creatorId: string }) {
  const t = useTranslations('common.ask');
  const whom = useWhomToAsk(creatorId);
  return (
    <Notice tone="accent" icon={<Eye aria-hidden="true" />} className="mb-4">
      {t('readOnly', { whom })}
    </Notice>
  );
}
