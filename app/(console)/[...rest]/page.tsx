import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { notFound } from 'next/navigation';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('layout.crumbs');
  return { title: t('notFound') };
}

/** Every unknown address, so that the not-found page keeps the console around it. */
export default function UnknownPage() {
  notFound();
}
