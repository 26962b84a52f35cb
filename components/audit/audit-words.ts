'use client';

import { useTranslations } from 'next-intl';
import type { AuditRecord } from '@/components/data/types';
import { AUDIT_ACTIONS, AUDIT_WAYS } from '@/lib/vocabulary/audit';
import { paths } from '@/lib/paths';

/** What an entry says, in words. A word that this page does not know is shown as it is. */
export function useAuditWords() {
  const t = useTranslations('pages.audit');
  return {
    action(entry: Pick<AuditRecord, 'action'>): string {
      const known = AUDIT_ACTIONS.find((each) => each === entry.action);
      return known ? t(`actions.${known}`) : entry.action;
    },
    way(entry: Pick<AuditRecord, 'via'>): string {
      const known = AUDIT_WAYS.find((each) => each === entry.via);
      return known ? t(`ways.${known}`) : entry.via;
    },
    who: (entry: Pick<AuditRecord, 'user' | 'userName' | 'via'>): string =>
      entry.userName || entry.user || (entry.via === 'console' ? t('console') : t('nobody')),
  };
}

interface Target {
  collection: string;
  id: string;
}

function targetOf(entry: AuditRecord): Target {
  const { resource } = entry.details;
  if (entry.collection.endsWith('_permissions') && typeof resource === 'object' && resource !== null) {
    const { collection, id } = resource as Partial<Target>;
    return { collection: collection ?? '', id: id ?? '' };
  }
  if (entry.collection === 'group_members') return { collection: 'groups', id: String(entry.details['group'] ?? '') };
  return { collection: entry.collection, id: entry.record };
}

/** A quota is on the page of whom it is for, also once it was taken away. */
function hrefOfQuota({ user, group }: AuditRecord['details']): string {
  if (user) return paths.user(String(user), 'quota');
  return group ? paths.group(String(group), 'quota') : paths.settingsTab('quotas');
}

/** The page of what the entry is about, where it has one and was not just deleted. */
export function hrefOf(entry: AuditRecord): string | undefined {
  if (entry.collection === 'quotas') return hrefOfQuota(entry.details);
  const { collection, id } = targetOf(entry);
  const isGone = entry.action.endsWith('.delete') && !entry.action.startsWith('permission.');
  if (isGone || id === '') return undefined;
  const tab = entry.action.startsWith('permission.') ? 'permissions' : undefined;
  if (collection === 'workspaces') return paths.workspace(id, tab);
  if (collection === 'images') return paths.image(id, tab);
  if (collection === 'hosts') return paths.host(id, tab);
  if (collection === 'groups') return paths.group(id);
  if (collection === 'users') return paths.usersNamed(entry.recordName);
  return undefined;
}
