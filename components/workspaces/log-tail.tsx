'use client';

import { ChevronRight } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { Button } from '@/components/ui/button';
import { LogRow } from '@/components/ui/log/log-row';
import { Card } from '@/components/ui/parts';
import { paths } from '@/lib/paths';
import { useWorkspaceLog } from './use-workspace-log';

const SHOWN = 8;

/** The last lines of the log, on the overview. */
export function LogTail({ workspaceId, generation, isOn }: { workspaceId: string; generation: number; isOn: boolean }) {
  const t = useTranslations('pages.workspaces.logs');
  const { view, state, endMessage } = useWorkspaceLog({ workspaceId, tail: SHOWN, isOn, generation });
  const lines = view.lines.slice(-SHOWN);
  return (
    <Card
      title={t('title')}
      note={isOn && <span role="status">{t(`states.${state}`)}</span>}
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
              key={line.number}
              line={line}
              hasTime
              hasLevel={view.counts.info + view.counts.warn + view.counts.error > 0}
            />
          ))}
        </div>
      ) : (
        <p className="text-table text-text-3 px-3.5 pb-3.5">{endMessage || t('empty')}</p>
      )}
    </Card>
  );
}
