'use client';

import { useFormatter, useTranslations } from 'next-intl';
import { dateMs } from '@/components/data/dates';
import { GRANT_FLAGS } from './grant-flags';
import type { Ground } from './use-why';

/** What a right rests on, a sentence each. */
export function Grounds({ grounds, name }: { grounds: Ground[]; name: string }) {
  const t = useTranslations('pages.rights.grounds');
  const sentence = useGroundSentence(name);
  if (grounds.length === 0) return <p className="text-text-3">{t('none')}</p>;
  return (
    <ul className="text-text-2 grid gap-0.5">
      {grounds.map((ground, index) => (
        <li key={index}>{sentence(ground)}</li>
      ))}
    </ul>
  );
}

function useGroundSentence(name: string): (ground: Ground) => string {
  const t = useTranslations('pages.rights.grounds');
  const flagWords = useTranslations('pages.rights.flags');
  const format = useFormatter();
  return ({ kind, flags, group, setBy, at }) => {
    if (kind === 'owner' || kind === 'admin') return t(kind, { name });
    if (kind !== 'grant') return t('everyone');
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    const words = {
      name,
      group: group?.name ?? '',
      flags: format.list(GRANT_FLAGS.filter((flag) => flags.includes(flag)).map((flag) => flagWords(flag))),
      who: setBy?.name ?? '',
      date: format.dateTime(dateMs(at) ?? 0, { dateStyle: 'medium', timeZone }),
    };
    // A permission to open an address has no flags: it is all of it.
    if (flags.length === 0) {
      if (group) return t(setBy ? 'address.groupBy' : 'address.group', words);
      return t(setBy ? 'address.ownBy' : 'address.own', words);
    }
    if (group) return t(setBy ? 'flags.groupBy' : 'flags.group', words);
    return t(setBy ? 'flags.ownBy' : 'flags.own', words);
  };
}
