'use client';

import { useTranslations } from 'next-intl';
import type { SearchHint } from './search-filter';

/** What of a search was taken as plain text although it looks like more, in one quiet line. */
export function SearchHints({ hints, keys }: { hints: SearchHint[]; keys: string[] }) {
  const t = useTranslations('common.search');
  const [first] = hints;
  return (
    <p role="status" className="text-small text-text-3 px-6 pb-2 empty:hidden max-lg:px-4">
      {first && t(first.kind, { key: first.key, value: first.value, keys: keys.join(', ') })}
    </p>
  );
}
