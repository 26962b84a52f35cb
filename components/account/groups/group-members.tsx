'use client';

import { UserPlus, X } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { ready } from '@/components/data/client';
import { useFirstRecords, useRefresh } from '@/components/data/records';
import type { Collections, GroupRecord } from '@/components/data/types';
import { useTell } from '@/components/data/use-tell';
import { displayName, PersonAvatar } from '@/components/records/person';
import { personChoices } from '@/components/records/record-choices';
import { RecordPickerList } from '@/components/records/record-picker';
import { ShowMore } from '@/components/records/show-more';
import { Button, IconButton } from '@/components/ui/button';
import { Popover } from '@/components/ui/popover';
import { Skeleton, Tag } from '@/components/ui/parts';
import { NoRows, Row, Rows } from '@/components/ui/rows';
import { paths } from '@/lib/paths';

type Membership = Collections['group_members'];

/** Who is in the group; each is put there and taken out at once. */
export function GroupMembers({ group }: { group: GroupRecord }) {
  const t = useTranslations('pages.groups.members');
  const members = useFirstRecords(
    'group_members',
    { filter: `group = '${group.id}'`, sort: 'created', expand: 'user' },
    { step: 100 },
  );
  const { add, remove } = useMemberships(group);
  const mayChange = group.can?.['modify'] === true;
  return (
    <div className="grid max-w-[660px] grid-cols-[minmax(0,1fr)] gap-3.5">
      <div className="flex items-center gap-3">
        <p className="text-table text-text-2 min-w-0">{t('text')}</p>
        {mayChange && <AddMember except={members.items.map(({ user }) => user)} onAdd={(id) => void add(id)} />}
      </div>
      {members.isPending ? (
        <Skeleton className="h-24" />
      ) : members.items.length === 0 ? (
        <NoRows>{t('none')}</NoRows>
      ) : (
        <Rows label={t('label')}>
          {members.items.map((membership) => (
            <MemberRow
              key={membership.id}
              membership={membership}
              onRemove={mayChange ? () => void remove(membership) : undefined}
            />
          ))}
        </Rows>
      )}
      <ShowMore onClick={members.showMore} />
    </div>
  );
}

function useMemberships(group: GroupRecord) {
  const common = useTranslations('common');
  const t = useTranslations('pages.groups.members');
  const tell = useTell();
  const refresh = useRefresh();
  async function doAndTell(act: () => Promise<unknown>, done: string): Promise<void> {
    try {
      await act();
      tell.done(done);
    } catch (error) {
      tell.failed(common('errors.general'), error);
    }
    await refresh('group_members');
  }
  return {
    add: (user: string) =>
      doAndTell(async () => (await ready()).collection('group_members').create({ group: group.id, user }), t('added')),
    remove: ({ id }: Membership) =>
      doAndTell(async () => (await ready()).collection('group_members').delete(id), t('removed')),
  };
}

function MemberRow({ membership, onRemove }: { membership: Membership; onRemove: (() => void) | undefined }) {
  const t = useTranslations('pages.groups.members');
  const user = membership.expand?.user;
  if (!user) return null;
  const name = displayName(user);
  return (
    <Row
      icon={<PersonAvatar user={user} size="md" />}
      name={
        <Link href={paths.user(user.id)} className="text-text rounded-sm hover:underline">
          {name}
        </Link>
      }
      marks={membership.source === 'single sign-on' && <Tag>{t('bySignOn')}</Tag>}
      detail={
        <>
          <span>{user.username}</span>
          {membership.source === 'single sign-on' && <span>{t('bySignOnHint')}</span>}
        </>
      }
      actions={
        onRemove && (
          <IconButton size="sm" label={t('remove', { name })} onClick={onRemove}>
            <X className="size-4" />
          </IconButton>
        )
      }
    />
  );
}

function AddMember({ except, onAdd }: { except: string[]; onAdd: (id: string) => void }) {
  const t = useTranslations('pages.groups.members');
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover
      isOpen={isOpen}
      onOpenChange={setOpen}
      trigger={
        <Button size="sm" className="ml-auto shrink-0">
          <UserPlus className="size-4" />
          {t('add')}
        </Button>
      }
      label={t('add')}
      align="end"
      className="w-72 overflow-hidden"
    >
      <RecordPickerList
        choices={personChoices()}
        except={except}
        value=""
        searchLabel={t('search')}
        emptyText={t('nobody')}
        onPick={(id) => {
          setOpen(false);
          onAdd(id);
        }}
      />
    </Popover>
  );
}
