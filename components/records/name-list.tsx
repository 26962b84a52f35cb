'use client';

import { useTranslations } from 'next-intl';

const NAMED = 8;

/** The names of what is asked about; many are counted. */
export function NameList({ names }: { names: string[] }) {
  const t = useTranslations('common.batch');
  return (
    <ul className="border-line-strong text-table divide-line divide-y rounded-md border">
      {names.slice(0, NAMED).map((name, index) => (
        <li key={index} className="truncate px-3 py-1.5 font-medium">
          {name}
        </li>
      ))}
      {names.length > NAMED && (
        <li className="text-text-2 px-3 py-1.5">{t('more', { count: names.length - NAMED })}</li>
      )}
    </ul>
  );
}
