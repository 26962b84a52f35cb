import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { ApiReference } from '@/components/reference/api-reference';
import { apiRoutes } from '@/lib/api/kernel';
import { describeApi } from '@/lib/api/openapi';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('pages.reference');
  return { title: t('title') };
}

export default function ApiReferencePage() {
  return <ApiReference document={describeApi(apiRoutes)} />;
}
