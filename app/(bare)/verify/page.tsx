import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { redirect } from 'next/navigation';
import { Verify } from '@/components/account/sign-in/verify';
import { getViewer } from '@/lib/auth/viewer';
import { paths } from '@/lib/paths';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('pages.verify');
  return { title: t('title') };
}

/** Where an address of a workspace sends whoever it does not know. */
export default async function VerifyPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { state, csrf_token: csrfToken } = await searchParams;
  if (typeof state !== 'string' || typeof csrfToken !== 'string' || !state || !csrfToken) redirect(paths.home);
  const viewer = await getViewer();
  if (!viewer) redirect(paths.login(paths.verify({ state, csrfToken })));
  return <Verify username={viewer.username} state={state} csrfToken={csrfToken} />;
}
