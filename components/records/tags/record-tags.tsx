'use client';

import Link from 'next/link';
import { useTranslations } from 'next-intl';

const look =
  'bg-sunken text-small text-text-2 ring-line hover:bg-hover hover:text-text inline-block h-5 max-w-40 shrink-0 truncate rounded-sm px-1.5 leading-5 ring-1 ring-inset';
const SHOWN = 3;

interface TagChipsProps {
  tags: string[];
  onPick: (tag: string) => void;
}

/** The tags of a row; one that is pressed narrows the list to it. */
export function TagChips({ tags, onPick }: TagChipsProps) {
  const t = useTranslations('common.tags');
  const rest = tags.slice(SHOWN);
  return (
    <span className="flex min-w-0 items-center gap-1">
      {tags.slice(0, SHOWN).map((tag) => (
        <button
          key={tag}
          type="button"
          aria-label={t('filterBy', { tag })}
          className={look}
          onClick={() => onPick(tag)}
        >
          {tag}
        </button>
      ))}
      {rest.length > 0 && (
        <span role="note" aria-label={rest.join(', ')} className="text-small text-text-3" title={rest.join(', ')}>
          {t('more', { count: rest.length })}
        </span>
      )}
    </span>
  );
}

export interface TagLinksProps {
  tags: string[];
  /** The list that a tag narrows. */
  list: string;
}

/** The tags of a record on its page, each a link to what else carries it. */
export function TagLinks({ tags, list }: TagLinksProps) {
  const t = useTranslations('common.tags');
  if (tags.length === 0) return null;
  return (
    <ul aria-label={t('label')} className="flex min-w-0 flex-wrap items-center gap-1 py-0.5">
      {tags.map((tag) => (
        <li key={tag} className="flex min-w-0">
          <Link href={`${list}?tag=${encodeURIComponent(tag)}`} className={look}>
            {tag}
          </Link>
        </li>
      ))}
    </ul>
  );
}
