'use client';

import { useQuery } from '@tanstack/react-query';
import { ShieldCheck, TriangleAlert } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { ready } from '@/components/data/client';
import { messageOf } from '@/components/data/problems';
import type { UserRecord } from '@/components/data/types';
import { Grounds } from '@/components/records/grounds';
import { displayName } from '@/components/records/person';
import { concernsRights, type Ground } from '@/components/records/use-why';
import { Notice } from '@/components/ui/notice';
import { Card, Skeleton, Tag } from '@/components/ui/parts';
import { paths } from '@/lib/paths';
import { GRANT_FLAGS } from '@/components/records/grant-flags';

interface ReachedItem {
  id: string;
  name: string;
  url: string;
  acts: string[];
  grounds: Ground[];
}

interface Reach {
  isAdmin: boolean;
  kinds: { kind: Kind; total: number; items: ReachedItem[] }[];
}

type Kind = keyof typeof KINDS;

/** What each kind is called, and where its records are shown. */
const KINDS = {
  workspaces: { words: 'workspaces', link: paths.workspace },
  workspace_login_permissions: { words: 'logins', link: paths.workspace },
  images: { words: 'images', link: paths.image },
  hosts: { words: 'hosts', link: paths.host },
  volumes: { words: 'volumes', link: paths.volume },
  networks: { words: 'networks', link: paths.network },
  domains: { words: 'domains', link: paths.domain },
  files: { words: 'files', link: paths.file },
} as const;

const inOrder = (kinds: Reach['kinds']) =>
  (Object.keys(KINDS) as Kind[]).flatMap((kind) => kinds.filter((each) => each.kind === kind));

/** Everything that a person may reach, and through what. */
export function UserReach({ user }: { user: UserRecord }) {
  const t = useTranslations('pages.users.reach');
  const grants = useTranslations('pages.users.grants');
  const common = useTranslations('common');
  const { data, error } = useQuery({
    queryKey: ['reach', user.id],
    meta: { concerns: concernsRights },
    queryFn: async () => (await ready()).send<Reach>(`/api/permissions/reach?user=${user.id}`, { method: 'GET' }),
  });
  return (
    <div className="grid max-w-[860px] grid-cols-[minmax(0,1fr)] gap-3.5">
      <p className="text-table text-text-3">{t('text')}</p>
      {data?.isAdmin && (
        <Notice tone="accent" icon={<ShieldCheck aria-hidden="true" />}>
          {t('admin')}
        </Notice>
      )}
      {error && (
        <Notice tone="bad" icon={<TriangleAlert aria-hidden="true" />}>
          {messageOf(error) ?? common('errors.general')}
        </Notice>
      )}
      {!data && !error && <Skeleton className="rounded-card h-28 w-full" />}
      {data?.kinds.length === 0 && <p className="text-table text-text-2">{t('empty')}</p>}
      {inOrder(data?.kinds ?? []).map(({ kind, total, items }) => (
        <Card key={kind} title={grants(`kinds.${KINDS[kind].words}`)} note={total}>
          <ul className="divide-line border-line divide-y border-t">
            {items.map((item) => (
              <ReachedRow key={item.id + item.url} item={item} kind={kind} name={displayName(user)} />
            ))}
            {total > items.length && (
              <li className="text-small text-text-3 px-3.5 py-2">{t('more', { count: total - items.length })}</li>
            )}
          </ul>
        </Card>
      ))}
    </div>
  );
}

function ReachedRow({ item, kind, name }: { item: ReachedItem; kind: Kind; name: string }) {
  const t = useTranslations('pages.users.grants');
  return (
    <li className="text-table grid gap-1 px-3.5 py-2">
      <span className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
        <Link
          href={KINDS[kind].link(item.id)}
          className="text-text max-w-72 min-w-0 truncate rounded-sm font-medium hover:underline"
        >
          {item.name}
        </Link>
        {item.url && <span className="text-small text-text-2 truncate font-mono">{item.url}</span>}
        <span className="flex flex-wrap gap-1">
          {GRANT_FLAGS.filter((flag) => item.acts.includes(flag)).map((flag) => (
            <Tag key={flag}>{t(`flags.${flag}`)}</Tag>
          ))}
        </span>
      </span>
      <Grounds grounds={item.grounds} name={name} />
    </li>
  );
}
