'use client';

import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { messageOf } from '@/components/data/problems';
import type { DeploymentRecord, WorkspaceRecord } from '@/components/data/types';
import { Dialog } from '@/components/ui/dialog';
import { Skeleton } from '@/components/ui/parts';
import { Segmented } from '@/components/ui/segmented';
import { useChangeWords } from './change-words';
import { Differences } from './differences';
import { useDeployed } from './use-deployed';

const VIEWS = ['before', 'now', 'all'] as const;
type View = (typeof VIEWS)[number];

interface DeployedDialogProps {
  workspace: WorkspaceRecord;
  deployment: DeploymentRecord;
  onClose: () => void;
}

/** What a deployment asked the host to run: beside the one before it, beside the settings of now, and whole. */
export function DeployedDialog({ workspace, deployment, onClose }: DeployedDialogProps) {
  const t = useTranslations('pages.workspaces.deployed');
  const common = useTranslations('common');
  const { data, error } = useDeployed(workspace, deployment);
  const [picked, setView] = useState<View>();
  const { settings, before, now } = data ?? { settings: null, before: null, now: null };
  const offered = VIEWS.filter((view) => view === 'all' || (view === 'before' ? before : now) !== null);
  const view = picked ?? offered[0]!;
  const then = t('then', { number: deployment.number });
  return (
    <Dialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      width="lg"
      title={t('title', { number: deployment.number })}
      closeLabel={common('actions.close')}
    >
      {error ? (
        <p role="alert" className="text-table text-bad-text">
          {messageOf(error) ?? common('errors.general')}
        </p>
      ) : !data ? (
        <Skeleton className="h-24 w-full" />
      ) : settings === null ? (
        <p className="text-table text-text-2">{t('notKept')}</p>
      ) : (
        <div className="grid gap-3">
          <div className="max-w-full justify-self-start overflow-x-auto">
            <Segmented
              label={t('compare')}
              value={view}
              onValueChange={setView}
              options={offered.map((value) => ({ value, label: t(`views.${value}`, { number: before?.number ?? 0 }) }))}
            />
          </div>
          {view === 'before' && before && (
            <Compared changes={before.changed} from={t('then', { number: before.number })} to={then} />
          )}
          {view === 'now' && now && <Compared changes={now.changed} from={then} to={t('nowSet')} />}
          {view === 'all' && <Settings settings={settings} />}
        </div>
      )}
    </Dialog>
  );
}

function Compared({ changes, ...ends }: Parameters<typeof Differences>[0]) {
  const t = useTranslations('pages.workspaces.deployed');
  if (changes.length === 0) return <p className="text-table text-text-2">{t('same')}</p>;
  return <Differences changes={changes} {...ends} />;
}

function Settings({ settings }: { settings: { field: string; value: unknown }[] }) {
  const words = useChangeWords(settings.map(({ field, value }) => ({ field, from: value, to: null })));
  return (
    <dl className="border-line-strong text-table grid grid-cols-[170px_minmax(0,1fr)] rounded-md border max-sm:grid-cols-[110px_minmax(0,1fr)]">
      {settings.map(({ field, value }) => (
        <div
          key={field}
          className="border-line col-span-full grid grid-cols-subgrid not-first:border-t [&>*]:px-3 [&>*]:py-2"
        >
          <dt className="font-medium first-letter:uppercase">{words.field(field)}</dt>
          <dd className="border-line border-l break-words whitespace-pre-wrap">{words.value(field, value, null)}</dd>
        </div>
      ))}
    </dl>
  );
}
