'use client';

import { RotateCcw, ShieldCheck, TriangleAlert } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { messageOf } from '@/components/data/problems';
import type { UserRecord } from '@/components/data/types';
import { Age } from '@/components/records/age';
import { Button } from '@/components/ui/button';
import { Notice } from '@/components/ui/notice';
import { Card, Skeleton, Tag } from '@/components/ui/parts';
import { useGrants, type Grant, type GrantHolder } from './use-grants';

/** What a person was granted. */
export function UserGrants({ user }: { user: UserRecord }) {
  const t = useTranslations('pages.users.grants');
  return (
    <GrantLists
      holder={{ user: user.id }}
      text={t('text')}
      empty={t('empty')}
      notice={
        user.isAdmin && (
          <Notice tone="accent" icon={<ShieldCheck aria-hidden="true" />}>
            {t('admin')}
          </Notice>
        )
      }
    />
  );
}

interface GrantListsProps {
  holder: GrantHolder;
  text: string;
  empty: string;
  notice?: ReactNode;
}

/** What a person or a group was granted, to be looked at; it is changed on the page of each resource. */
export function GrantLists({ holder, text, empty, notice }: GrantListsProps) {
  const t = useTranslations('pages.users.grants');
  const common = useTranslations('common');
  const { isPending, error, groups, refetch } = useGrants(holder);
  return (
    <div className="grid max-w-[860px] grid-cols-[minmax(0,1fr)] gap-3.5">
      <p className="text-table text-text-3">{text}</p>
      {notice}
      {error && (
        <Notice
          tone="bad"
          icon={<TriangleAlert aria-hidden="true" />}
          actions={
            <Button size="sm" onClick={refetch}>
              <RotateCcw className="size-4" aria-hidden="true" />
              {common('actions.retry')}
            </Button>
          }
        >
          {common('list.errorTitle')} <span className="text-text-2">{messageOf(error)}</span>
        </Notice>
      )}
      {isPending && !error && (
        <div aria-busy="true">
          <span role="status" className="sr-only">
            {common('list.loading')}
          </span>
          <Skeleton className="rounded-card h-28 w-full" />
        </div>
      )}
      {groups.map((group) => (
        <Card key={group.key} title={t(`kinds.${group.key}`)} note={group.grants.length}>
          <ul className="divide-line border-line divide-y border-t">
            {group.grants.map((grant) => (
              <GrantRow key={grant.id} grant={grant} />
            ))}
          </ul>
        </Card>
      ))}
      {!isPending && !error && groups.length === 0 && (
        <p className="border-line-strong text-table text-text-2 rounded-md border border-dashed px-4 py-6 text-center">
          {empty}
        </p>
      )}
    </div>
  );
}

function GrantRow({ grant }: { grant: Grant }) {
  const t = useTranslations('pages.users.grants');
  return (
    <li className="text-table flex min-h-10 flex-wrap items-center gap-x-3 gap-y-1 px-3.5 py-1.5">
      {grant.href ? (
        <Link href={grant.href} className="text-text max-w-72 min-w-0 truncate rounded-sm font-medium hover:underline">
          {grant.name}
        </Link>
      ) : (
        <span className="max-w-72 min-w-0 truncate font-medium">{grant.name}</span>
      )}
      <span className="flex min-w-0 flex-wrap gap-1">
        {grant.url && <span className="text-small text-text-2 truncate font-mono">{grant.url}</span>}
        {grant.flags.map((flag) => (
          <Tag key={flag}>{t(`flags.${flag}`)}</Tag>
        ))}
      </span>
      <span className="text-text-3 ml-auto">
        <Age at={grant.created} />
      </span>
    </li>
  );
}
