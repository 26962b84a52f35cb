import type { useTranslations } from 'next-intl';

type Translate = ReturnType<typeof useTranslations<'pages.workspaces'>>;

/** What a field of a workspace is called; undefined for what is none. */
export function labelOf(t: Translate, field: string): string | undefined {
  const key = `labels.${field}` as Parameters<Translate>[0];
  return t.has(key) ? t(key as 'labels.name') : undefined;
}
