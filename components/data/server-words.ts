'use client';

import { useLocale } from 'next-intl';
import { useEffect, useSyncExternalStore } from 'react';
import type { SentenceCatalog } from './sentences';

type Say = (text: string) => string;

const asItIs: Say = (text) => text;
const catalogs: Readonly<Record<string, () => Promise<{ default: SentenceCatalog }>>> = {
  hu: () => import('@/messages/server/hu.json'),
};

let language = '';
let say = asItIs;
const listeners = new Set<() => void>();

async function speak(locale: string): Promise<void> {
  if (language === locale) return;
  language = locale;
  const bring = catalogs[locale];
  const spoken = bring ? await translatorOf(bring) : asItIs;
  if (language !== locale) return;
  say = spoken;
  for (const listener of listeners) listener();
}

async function translatorOf(bring: () => Promise<{ default: SentenceCatalog }>): Promise<Say> {
  const [{ sentenceTranslator }, catalog] = await Promise.all([import('./sentences'), bring()]);
  return sentenceTranslator(catalog.default);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A sentence of the server in the language of the page; as the server said it until that language has come. */
export function inPageLanguage(text: string): string {
  return say(text);
}

/** The same for what is drawn, which is drawn again once the language has come. */
export function useServerWords(): Say {
  return useSyncExternalStore(
    subscribe,
    () => say,
    () => asItIs,
  );
}

/** Brings the sentences of the server in the language of the page; none for English, which it speaks. */
export function ServerWords(): null {
  const locale = useLocale();
  useEffect(() => void speak(locale).catch(() => (language = '')), [locale]);
  return null;
}
