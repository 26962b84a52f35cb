'use client';

import { Plus } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { useRecordList } from '@/components/data/records';
import type { Collections } from '@/components/data/types';
import { Button } from '@/components/ui/button';
import { Card, Skeleton } from '@/components/ui/parts';
import type { ListQuestion } from './list-address';

/** Templates that a card names; the others are in their list. */
const SHOWN = 8;

interface TemplateCardProps<Name extends 'workspaces' | 'images'> {
  question: ListQuestion<Name>;
  title: string;
  /** The list of all. */
  href: string;
  /** The form of a new one; undefined for who may make none. */
  createHref: string | undefined;
  createLabel: string;
  emptyText: string;
  nameOf: (template: Collections[Name]) => ReactNode;
  actionsOf: (template: Collections[Name]) => ReactNode;
}

/** The templates of one kind that were changed last, with the way to all of them. */
export function TemplateCard<Name extends 'workspaces' | 'images'>(props: TemplateCardProps<Name>) {
  const { question, title, href, createHref, createLabel, emptyText, nameOf, actionsOf } = props;
  const t = useTranslations('common');
  const { data, isPending, isError } = useRecordList(question.collection, {
    page: 1,
    perPage: SHOWN,
    filter: question.baseFilter ?? '',
    sort: question.defaultSort,
    expand: question.expand,
  });
  const total = data?.totalItems ?? 0;
  return (
    <Card
      title={
        <Link href={href} className="rounded-sm hover:underline">
          {title}
        </Link>
      }
      note={total || undefined}
      actions={
        createHref && (
          <Button asChild size="sm" variant="ghost">
            <Link href={createHref}>
              <Plus className="size-4" aria-hidden="true" />
              {createLabel}
            </Link>
          </Button>
        )
      }
    >
      {isPending && <Skeleton className="mx-3.5 mb-3.5 h-16" />}
      {isError && <p className="text-table text-bad-text px-3.5 pb-3.5">{t('errors.general')}</p>}
      {data?.items.length === 0 && <p className="text-table text-text-2 px-3.5 pb-3.5">{emptyText}</p>}
      <ul className="divide-line divide-y">
        {(data?.items ?? []).map((template) => (
          <li key={template.id} className="text-table flex min-h-11 items-center gap-3 py-1 pr-2 pl-3.5">
            <span className="min-w-0 flex-1">{nameOf(template)}</span>
            {actionsOf(template)}
          </li>
        ))}
      </ul>
      {total > SHOWN && (
        <p className="border-line text-table border-t px-3.5 py-2">
          <Link href={href} className="text-accent-text rounded-sm hover:underline">
            {t('templates.all', { count: total })}
          </Link>
        </p>
      )}
    </Card>
  );
}
