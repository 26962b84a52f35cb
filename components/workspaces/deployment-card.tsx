'use client';

import { useServerWords } from '@/components/data/server-words';
import clsx from 'clsx';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { dateMs } from '@/components/data/dates';
import type { DeploymentRecord } from '@/components/data/types';
import { useNow } from '@/components/data/use-now';
import { Age } from '@/components/records/age';
import { useFormats } from '@/components/records/use-formats';
import { displayName } from '@/components/records/person';
import { Glyph } from '@/components/ui/glyph';
import { Fold } from '@/components/ui/notice';
import { Card, Tag, type TagTone } from '@/components/ui/parts';
import { REDEPLOY_ORDERS } from '@/lib/vocabulary/redeploy';
import { DEPLOYMENT_STEP_KEYS, type DeploymentStep } from '@/lib/vocabulary/workspace';

const tones: Record<string, TagTone> = { pending: 'busy', succeeded: 'ok', failed: 'bad', superseded: 'plain' };
const DEPLOYS = ['start', 'redeploy'] as const;
/** What is kept with the deployments and deploys nothing. */
const OTHERS = { stop: 'stopped', delete: 'deleted', repair: 'repaired' } as const;
const STATUSES = ['pending', 'succeeded', 'failed', 'superseded'] as const;

/** One deployment, or what else was asked of the host, and its steps along a line of time. */
export function DeploymentCard({
  deployment,
  actions,
  isToldAbove = false,
}: {
  deployment: DeploymentRecord;
  actions?: ReactNode;
  /** The page says why it failed. */
  isToldAbove?: boolean;
}) {
  const say = useServerWords();
  const t = useTranslations('pages.workspaces.deployment');
  const status = STATUSES.find((each) => each === deployment.status);
  const action = DEPLOYS.find((each) => each === deployment.action);
  const other = Object.entries(OTHERS).find(([each]) => each === deployment.action)?.[1];
  const order = REDEPLOY_ORDERS.find((each) => each === deployment.order);
  const by = deployment.expand?.created_by;
  const asked = deployment.steps?.find(({ key }) => key === 'asked')?.message ?? '';
  // The console says why it asked by itself.
  const why = asked.startsWith('Asked by ') ? undefined : asked;
  return (
    <Card
      title={other ? t(other) : t('title', { number: deployment.number })}
      note={
        <>
          {status && <Tag tone={tones[status] ?? 'plain'}>{t(`statuses.${status}`)}</Tag>}
          {action && (
            <span className="text-text-2 truncate">
              {[t(`actions.${action}`), order && t(`orders.${order}`), deployment.pull && t('pulled')]
                .filter(Boolean)
                .join(', ')}
            </span>
          )}
          <span className="truncate max-sm:hidden">
            <Age at={deployment.created} /> {by && t('by', { name: displayName(by) })}
          </span>
        </>
      }
      actions={actions}
    >
      {why && <p className="text-table text-text-2 px-3.5 pb-1.5">{say(why)}</p>}
      <Timeline deployment={deployment} isToldAbove={isToldAbove} />
      {deployment.statusMessage && !isToldAbove && (
        <div className="px-3.5 pb-3">
          <Fold summary={t('words')} isOpen={deployment.status === 'failed'}>
            {say(deployment.statusMessage)}
          </Fold>
        </div>
      )}
    </Card>
  );
}

interface Placed {
  step: DeploymentStep;
  fromMs: number;
  toMs: number;
}

/** What a pull that was asked for has brought. */
function isTelling({ key }: DeploymentStep, { pull }: DeploymentRecord): boolean {
  return key === 'image' && pull;
}

function Timeline({ deployment, isToldAbove }: { deployment: DeploymentRecord; isToldAbove: boolean }) {
  const say = useServerWords();
  const { span } = useFormats();
  const t = useTranslations('pages.workspaces.deployment');
  const now = useNow();
  const end = dateMs(deployment.finished) ?? (deployment.status === 'pending' ? now : undefined);
  const placed: Placed[] = (deployment.steps ?? []).flatMap((step) => {
    const fromMs = dateMs(step.startedAt);
    if (fromMs === undefined) return [];
    return [{ step, fromMs, toMs: Math.max(fromMs, dateMs(step.endedAt) ?? end ?? fromMs) }];
  });
  const first = Math.min(...placed.map((each) => each.fromMs));
  const wholeMs = Math.max(1, Math.max(...placed.map((each) => each.toMs)) - first);
  if (placed.length === 0) return <p className="text-table text-text-3 px-3.5 pb-3">{t('noSteps')}</p>;
  return (
    <ol className="text-table px-3.5 pb-2.5">
      {placed.map(({ step, fromMs, toMs }, index) => {
        const known = DEPLOYMENT_STEP_KEYS.find((key) => key === step.key);
        const isWaiting = step.key === 'queued' || step.key === 'asked';
        return (
          <li
            key={`${step.key}-${index}`}
            className="grid h-7 grid-cols-[14px_186px_minmax(0,1fr)_auto] items-center gap-2.5 max-sm:grid-cols-[14px_minmax(0,1fr)_40px_auto]"
          >
            <Glyph kind={step.status === 'running' ? 'busy' : step.status === 'failed' ? 'bad' : 'done'} />
            <span className="truncate" title={say(step.message ?? '') || undefined}>
              {known ? t(`steps.${known}.${step.status}`) : step.key}
              {step.message &&
                (step.status !== 'done' || isTelling(step, deployment)) &&
                !(isToldAbove && step.status === 'failed') && (
                  <span className="text-small text-text-3 ml-1 max-sm:hidden">{say(step.message)}</span>
                )}
            </span>
            <span
              aria-hidden="true"
              className="before:bg-line relative h-1.5 before:absolute before:inset-x-0 before:top-[2.5px] before:h-px"
            >
              <span
                className={clsx(
                  'absolute inset-y-0 min-w-[3px] rounded-[3px]',
                  isWaiting ? 'bg-line-strong' : step.status === 'failed' ? 'bg-bad' : 'bg-accent',
                )}
                style={{
                  left: `${Math.min(99, ((fromMs - first) / wholeMs) * 100)}%`,
                  width: `${((toMs - fromMs) / wholeMs) * 100}%`,
                }}
              />
            </span>
            <span className="text-small text-text-3 min-w-[46px] text-right tabular-nums">{span(toMs - fromMs)}</span>
          </li>
        );
      })}
    </ol>
  );
}
