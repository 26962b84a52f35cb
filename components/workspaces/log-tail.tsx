'use client';

import { ChevronRight } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { Button } from '@/components/ui/button';
import { LogRow } from '@/components/ui/log/log-row';
import { Card } from '@/components/ui/parts';
import { paths } from '@/lib/paths';
import { LogStateText } from './log-state';
import { useWorkspaceLog } from './use-workspace-log';

const SHOWN = 8;

/** The last lines of the log, on the overview. */
export function LogTail({ workspaceId, isOn }: { workspaceId: string; isOn: boolean }) {
  const t = useTranslations('pages.workspaces.logs');
  const log = useWorkspaceLog({ workspaceId, tail: SHOWN, isOn });
  const { view, endMessage } = log;
  const lines = view.lines.slice(-SHOWN);
  return (
    <Card
      title={t('title')}
      note={isOn && <LogStateText log={log} />}
      actions={
        <Button asChild variant="ghost" size="sm">
          <Link href={paths.workspaceLogs(workspaceId)}>
            {t('open')}
            <ChevronRight className="size-3.5" aria-hidden="true" />
          </Link>
        </Button>
      }
    >
      {lines.length > 0 ? (
        <div
          className="overflow-x-auto pt-0.5 pb-2.5"
          role="log"
          aria-live="off"
          aria-label={t('title')}
          tabIndex={0}
          data-inset=""
        >
          {lines.map((line) => (
            <LogRow
              key={line.seq}
              line={line}
              hasTime
              hasLevel={view.counts.info + view.counts.warn + view.counts.error > 0}
            />
          ))}
        </div>
      ) : (
        <p className="text-table text-text-3 px-3.5 pb-3.5">
          {endMessage || (isOn && log.state === 'opening' ? t('waiting') : t('empty'))}
        </p>
      )}
    </Card>
  );
}
