'use client';

import { useServerWords } from '@/components/data/server-words';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { WorkspaceRecord } from '@/components/data/types';
import { Fold } from '@/components/ui/notice';
import { paths } from '@/lib/paths';
import { takenPortOf } from '@/lib/vocabulary/failure-words';

/**
 * Why a workspace is in error: what to do where that is known; of a container that ended its code, its restarts and what
 * it printed last; the engine's own words in a fold.
 */
export function Failure({ workspace }: { workspace: WorkspaceRecord }) {
  const say = useServerWords();
  const t = useTranslations('pages.workspaces.overview');
  const port = takenPortOf(workspace.statusMessage);
  const isPort = port !== undefined;
  const container = isPort ? null : workspace.observedContainer;
  const code = container?.exitCode ?? null;
  const lastLines = container?.lastLines ?? [];
  if (!workspace.statusMessage && code === null) return null;
  const title = code === null ? t('failed') : t('crashed', { code, restarts: container?.restarts ?? 0 });
  return (
    <div role="alert" className="border-bad-line bg-bad-soft text-table rounded-md border px-3 py-2">
      <p className="text-bad-text font-medium">{isPort ? t('portTaken', { port }) : title}</p>
      {isPort && <PortAdvice workspace={workspace} />}
      <div className="mt-1">
        {lastLines.length > 0 && (
          <Fold summary={t('lastLines')} isOpen>
            {lastLines.join('\n')}
          </Fold>
        )}
        {workspace.statusMessage && (
          <Fold summary={t('engineWords')} isOpen={!isPort && lastLines.length === 0}>
            {say(workspace.statusMessage)}
          </Fold>
        )}
      </div>
    </div>
  );
}

function PortAdvice({ workspace }: { workspace: WorkspaceRecord }) {
  const t = useTranslations('pages.workspaces.overview');
  const mayChange = workspace.can?.['modify'] === true;
  return (
    <p className="mt-0.5">
      {t(mayChange ? 'portAdvice' : 'portAsk')}{' '}
      {mayChange && (
        <Link
          href={paths.workspace(workspace.id, 'settings')}
          className="text-accent-text rounded-sm font-medium hover:underline"
        >
          {t('changePorts')}
        </Link>
      )}
    </p>
  );
}
