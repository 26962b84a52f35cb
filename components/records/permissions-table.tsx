'use client';

import clsx from 'clsx';
import { CircleHelp, Trash2 } from 'lucide-react';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { GroupRecord, UserRecord } from '@/components/data/types';
import { IconButton } from '@/components/ui/button';
import { Checkbox } from '@/components/ui/checkbox';
import { Tag } from '@/components/ui/parts';
import { GroupMark } from './group-mark';
import type { Holder, PermissionFlag, PermissionRow } from './permission-draft';
import { displayName, PersonAvatar } from './person';

interface PermissionsTableProps {
  rows: PermissionRow[];
  /** Who may do everything anyway. */
  fixed: UserRecord[];
  creatorId: string;
  flags: PermissionFlag[];
  implied: string;
  isUnsaved: (row: PermissionRow) => boolean;
  onChange: (holderId: string, patch: Partial<PermissionRow>) => void;
  /** Why a person may do what. */
  onAsk: (user: UserRecord) => void;
}

const head =
  'sticky top-0 z-10 h-8 border-b border-line bg-surface px-2 text-small font-medium whitespace-nowrap text-text-3';
const cell = 'h-12 border-b border-line px-2 text-center';
// Below one another on small screens: the person, then each permission with its name.
const smallRow = 'max-md:grid max-md:grid-cols-3 max-md:border-line max-md:border-b max-md:pb-1.5 max-md:relative';
const smallCell =
  'max-md:flex max-md:h-10 max-md:items-center max-md:gap-2 max-md:border-0 max-md:px-4 max-md:text-left';

const actions = clsx(
  cell,
  'pr-6 text-right whitespace-nowrap max-md:absolute max-md:top-1.5 max-md:right-0 max-md:border-0 max-md:pr-2',
);

export function PermissionsTable(props: PermissionsTableProps) {
  const { rows, fixed, creatorId, flags, implied, isUnsaved, onChange, onAsk } = props;
  const t = useTranslations('common.permissions');
  return (
    <table className="text-table w-full border-separate border-spacing-0 max-md:block md:min-w-[640px]">
      <caption className="sr-only">{t('title')}</caption>
      <thead className="max-md:sr-only">
        <tr>
          <th className={clsx(head, 'w-[300px] pl-6 text-left max-lg:w-[200px] max-lg:pl-4')}>{t('person')}</th>
          {flags.map((flag) => (
            <th key={flag.key} className={clsx(head, 'w-[92px] text-center')} title={flag.hint}>
              {flag.label}
            </th>
          ))}
          <th className={clsx(head, 'pr-6 text-right')}>
            <span className="sr-only">{t('actions')}</span>
          </th>
        </tr>
      </thead>
      <tbody className="max-md:block">
        {fixed.map((user) => (
          <tr key={user.id} className={smallRow}>
            <PersonCell user={user} tag={<Tag>{user.id === creatorId ? t('creator') : t('admin')}</Tag>} />
            {flags.map((flag) => (
              <td key={flag.key} className={clsx(cell, smallCell)}>
                <Checkbox checked disabled aria-label={t('holds', { name: displayName(user), flag: flag.label })} />
                <SmallLabel>{flag.label}</SmallLabel>
              </td>
            ))}
            <td className={actions}>
              <AskButton user={user} onAsk={onAsk} />
            </td>
          </tr>
        ))}
        {rows.map((row) => {
          const { holder } = row;
          const user = holder.kind === 'user' ? holder.user : undefined;
          const name = nameOfHolder(holder);
          const tag = isUnsaved(row) && <Tag tone="accent">{t('unsaved')}</Tag>;
          const hasStronger = Object.entries(row.flags).some(([key, isHeld]) => key !== implied && isHeld);
          return (
            <tr key={holder.id} className={clsx(smallRow, isUnsaved(row) && 'bg-accent-soft')}>
              {holder.kind === 'group' ? (
                <GroupCell group={holder.group} tag={tag} />
              ) : (
                <PersonCell user={user} tag={tag} />
              )}
              {flags.map((flag) => {
                const isImplied = flag.key === implied && hasStronger;
                return (
                  <td key={flag.key} className={clsx(cell, smallCell)}>
                    <Checkbox
                      look={isImplied ? 'implied' : 'plain'}
                      checked={isImplied || row.flags[flag.key] === true}
                      aria-label={t('grant', { name, flag: flag.label })}
                      title={isImplied ? t('implied', { flag: flag.label }) : flag.hint}
                      onCheckedChange={(checked) =>
                        !isImplied && onChange(holder.id, { flags: { ...row.flags, [flag.key]: checked === true } })
                      }
                    />
                    <SmallLabel>{flag.label}</SmallLabel>
                  </td>
                );
              })}
              <td className={actions}>
                {user && row.recordId && <AskButton user={user} onAsk={onAsk} />}
                <IconButton
                  size="sm"
                  label={t('remove', { name })}
                  onClick={() => onChange(holder.id, { isRemoved: true })}
                >
                  <Trash2 className="size-4" />
                </IconButton>
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** The name of a permission, where there is no head to name it; the box has it for screen readers. */
function SmallLabel({ children }: { children: ReactNode }) {
  return (
    <span aria-hidden="true" className="text-text-2 truncate md:hidden">
      {children}
    </span>
  );
}

function nameOfHolder(holder: Holder): string {
  if (holder.kind === 'group') return holder.group?.name ?? holder.id;
  return holder.user ? displayName(holder.user) : holder.id;
}

function AskButton({ user, onAsk }: { user: UserRecord; onAsk: (user: UserRecord) => void }) {
  const t = useTranslations('common.permissions');
  return (
    <IconButton size="sm" label={t('why', { name: displayName(user) })} onClick={() => onAsk(user)}>
      <CircleHelp className="size-4" />
    </IconButton>
  );
}

const holderCell =
  'border-line h-12 border-b pl-6 max-lg:pl-4 max-md:col-span-3 max-md:flex max-md:items-center max-md:border-0 max-md:pr-20';

function GroupCell({ group, tag }: { group: GroupRecord | undefined; tag: ReactNode }) {
  const t = useTranslations('common.permissions');
  return (
    <td className={holderCell}>
      <span className="flex min-w-0 items-center gap-2.5">
        <GroupMark />
        <span className="min-w-0 leading-4">
          <span className="block truncate font-medium">{group?.name ?? '–'}</span>
          <span className="text-small text-text-3 block truncate">
            {t('members', { count: group?.memberCount ?? 0 })}
          </span>
        </span>
        {tag}
      </span>
    </td>
  );
}

function PersonCell({ user, tag }: { user: UserRecord | undefined; tag: ReactNode }) {
  return (
    <td className={holderCell}>
      <span className="flex min-w-0 items-center gap-2.5">
        {user && <PersonAvatar user={user} size="md" />}
        <span className="min-w-0 leading-4">
          <span className="block truncate font-medium">{user ? displayName(user) : '–'}</span>
          <span className="text-small text-text-3 block truncate">{user?.username}</span>
        </span>
        {tag}
      </span>
    </td>
  );
}
