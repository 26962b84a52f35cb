'use client';

import { useTranslations } from 'next-intl';
import { Button } from '@/components/ui/button';
import { LogBreak } from '@/components/ui/log/log-list';
import { OLDER_STEP, type LogWindow } from './use-log-window';
import type { WorkspaceLog } from './use-workspace-log';

interface OlderBarProps {
  loaded: LogWindow;
  log: WorkspaceLog;
  /** Lines that the page begins with. */
  tail: number;
  /** What is in sight is to stay there. */
  onLoad: () => void;
}

/** Which lines are not loaded before the first, and ways to them. */
export function OlderBar({ loaded, log, tail, onLoad }: OlderBarProps) {
  const t = useTranslations('pages.workspaces.logs');
  const { first, isLoading, problem } = loaded;
  if (problem) return <LogBreak>{problem}</LogBreak>;
  if (first === undefined) return log.view.received >= tail ? <LogBreak>{t('counting')}</LogBreak> : null;
  if (first <= 1) return <LogBreak>{t('beginning')}</LogBreak>;
  const act = (load: () => Promise<void>) => () => {
    onLoad();
    void load();
  };
  return (
    <LogBreak>
      <span>{t('olderMissing', { count: first - 1 })}</span>
      <Button size="sm" isBusy={isLoading} onClick={act(loaded.loadOlder)}>
        {t('loadOlder', { count: Math.min(OLDER_STEP, first - 1) })}
      </Button>
      {first > OLDER_STEP && (
        <Button size="sm" variant="ghost" disabled={isLoading} onClick={act(() => loaded.goTo(1))}>
          {t('toBeginning')}
        </Button>
      )}
    </LogBreak>
  );
}

/** Which lines are not loaded after the last, and ways to them. */
export function NewerBar({ loaded, onEnd }: { loaded: LogWindow; onEnd: () => void }) {
  const t = useTranslations('pages.workspaces.logs');
  const { newer, isLoading } = loaded;
  if (newer === undefined) return null;
  return (
    <LogBreak>
      <span>{t('newerMissing', { count: newer })}</span>
      {newer > 0 && (
        <Button size="sm" isBusy={isLoading} onClick={() => void loaded.loadNewer()}>
          {t('loadNewer', { count: Math.min(OLDER_STEP, newer) })}
        </Button>
      )}
      <Button size="sm" variant="ghost" disabled={isLoading} onClick={onEnd}>
        {t('toEnd')}
      </Button>
    </LogBreak>
  );
}
