'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { ready } from '@/components/data/client';
import { fieldProblems, messageOf, statusOf } from '@/components/data/problems';
import { useRefresh } from '@/components/data/records';
import type { CollectionName } from '@/components/data/types';
import { useTell } from '@/components/data/use-tell';
import type { PermissionChanges } from './permission-draft';

interface Target {
  collection: CollectionName;
  field: string;
  resourceId: string;
}

/** Writes a draft of permissions, one record after the other; what was refused stays in the draft and is told. */
export function useSavePermissions({ collection, field, resourceId }: Target) {
  const t = useTranslations('common');
  const tell = useTell();
  const refresh = useRefresh();
  const [isSaving, setSaving] = useState(false);
  const [messages, setMessages] = useState<string[]>([]);

  async function save(changes: PermissionChanges): Promise<boolean> {
    setSaving(true);
    setMessages([]);
    try {
      const records = (await ready()).collection(collection);
      for (const row of changes.removed) await records.delete(row.recordId ?? '');
      for (const row of changes.updated) await records.update(row.recordId ?? '', row.flags);
      for (const row of changes.created)
        await records.create({ ...row.flags, [row.holder.kind]: row.holder.id, [field]: resourceId });
      tell.done(t('permissions.saved'));
      return true;
    } catch (error) {
      if (statusOf(error) !== 401) {
        const isTwice = fieldProblems(error).some((problem) => problem.code === 'validation_not_unique');
        setMessages([isTwice ? t('permissions.twice') : (messageOf(error) ?? t('errors.general'))]);
      }
      return false;
    } finally {
      await refresh(collection);
      setSaving(false);
    }
  }
  return { save, isSaving, messages };
}
