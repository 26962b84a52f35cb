import 'server-only';
import { env } from '@/lib/env';
import type { AppsPlace } from '@/lib/vocabulary/app-address';

/** Where the console serves ports of workspaces; undefined where it serves none. */
export function appsPlace(): AppsPlace | undefined {
  const { appsDomain, publicUrl } = env();
  if (appsDomain === '') return undefined;
  return { scheme: publicUrl.startsWith('https:') ? 'https' : 'http', domain: appsDomain };
}
