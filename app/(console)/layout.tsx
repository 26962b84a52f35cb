import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import type { ReactNode } from 'react';
import { ConsoleShell } from '@/components/shell/console-shell';
import { getViewer } from '@/lib/auth/viewer';
import { paths } from '@/lib/paths';

export const dynamic = 'force-dynamic';

export default async function ConsoleLayout({ children }: { children: ReactNode }) {
  const viewer = await getViewer();
  if (!viewer) redirect(paths.login((await headers()).get('x-path') ?? undefined));
  return <ConsoleShell viewer={viewer}>{children}</ConsoleShell>;
}
