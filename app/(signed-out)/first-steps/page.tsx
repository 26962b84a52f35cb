import type { Metadata } from 'next';
import { getTranslations } from 'next-intl/server';
import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { FirstStepsForm } from '@/components/account/sign-in/first-steps-form';
import { SetupClosed } from '@/components/account/sign-in/setup-closed';
import { isSetupNeeded, isSetupWindowOpen } from '@/lib/accounts/sign-in/finish-setup';
import { isMarkedLocal, LOCAL_HEADER } from '@/lib/http/local';
import { limits } from '@/lib/vocabulary/limits';
import { paths } from '@/lib/paths';

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('pages.firstSteps');
  return { title: t('title') };
}

export default async function FirstStepsPage() {
  if (!isSetupNeeded()) redirect(paths.home);
  if (!isSetupWindowOpen()) return <SetupClosed minutes={limits.setupWindowSeconds / 60} />;
  const isLocal = isMarkedLocal((await headers()).get(LOCAL_HEADER));
  return <FirstStepsForm asksCode={!isLocal} />;
}
