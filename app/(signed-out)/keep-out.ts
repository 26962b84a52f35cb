import { redirect } from 'next/navigation';
import { safeRedirect } from '@/components/account/sign-in/safe-redirect';
import { getViewer } from '@/lib/auth/viewer';
import { isSetupNeeded } from '@/lib/accounts/sign-in/finish-setup';
import { paths } from '@/lib/paths';

export type SearchParams = Promise<Record<string, string | string[] | undefined>>;

/**
 * Keeps the signed-out pages for whom they are: before the set-up everyone goes there, and whoever is signed in goes on to
 * the `redirect` search value, or home. Resolves with that target.
 */
export async function keepOut(searchParams: SearchParams): Promise<string> {
  const target = safeRedirect((await searchParams)['redirect']);
  if (isSetupNeeded()) redirect(paths.firstSteps);
  if (await getViewer()) redirect(target);
  return target;
}
