'use client';

import { useTranslations } from 'next-intl';
import type { WorkspaceLog } from './use-workspace-log';

/** Whether the log is followed, and what came of the container where it isn't. */
export function LogStateText({ log, className }: { log: WorkspaceLog; className?: string }) {
  const t = useTranslations('pages.workspaces.logs');
  const { state, exitCode } = log;
  const hasCode = exitCode !== undefined && (state === 'ended' || state === 'restarting');
  return (
    <span role="status" className={className}>
      {hasCode ? t(`endStates.${state}`, { code: exitCode }) : t(`states.${state}`)}
    </span>
  );
}
