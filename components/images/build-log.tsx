'use client';

import { useTranslations } from 'next-intl';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { readEventStream } from '@/components/data/event-stream';
import type { BuildRecord } from '@/components/data/types';
import { LogToolbar } from '@/components/records/log-toolbar';
import { useLogSearch } from '@/components/records/use-log-search';
import { CopyButton } from '@/components/ui/copy-button';
import { openQuery, type LogQuery } from '@/components/ui/log/log-query';
import { LogBreak, LogList } from '@/components/ui/log/log-list';
import { LogStore } from '@/components/ui/log/log-store';
import { Card } from '@/components/ui/parts';
import { isBuildOver } from '@/lib/vocabulary/image-status';
import { BuildStepTree } from './build-step-tree';
import { BuildSteps, type BuildStage } from './build-steps';

/** The log of one build, as it is written. */
export function BuildLog({ imageId, build }: { imageId: string; build: BuildRecord }) {
  const t = useTranslations('pages.images.log');
  const common = useTranslations('common');
  const { store, state, stages } = useBuildLog(imageId, build.number);
  const view = useSyncExternalStore(store.subscribe, store.getView, store.getView);
  const [pausedAt, setPausedAt] = useState<number>();
  const search = useLogSearch({ store, view }, () => setPausedAt((at) => at ?? view.received));
  const [pickedStep, setPickedStep] = useState<number>();
  function pickStep(number: number | undefined) {
    setPickedStep(number);
    search.onQuery(number === undefined ? openQuery : stepQuery(number));
  }
  // Who looks for something else, looks in the whole log.
  const picked = pickedStep && search.query.pattern === stepQuery(pickedStep).pattern ? pickedStep : undefined;
  return (
    <Card
      title={t('title', { number: build.number })}
      note={<span role="status">{t(`states.${state}`)}</span>}
      actions={<CopyButton isIcon text={() => store.text()} label={t('copy')} copiedLabel={common('actions.copied')} />}
    >
      <div className="border-line flex h-[460px] border-t max-lg:h-[600px] max-lg:flex-col">
        {stages.length > 0 && <BuildStepTree stages={stages} picked={picked} onPick={pickStep} />}
        <div className="flex min-h-0 min-w-0 flex-1 flex-col">
          <LogToolbar search={search} view={view} isWhole={view.dropped === 0} />
          {view.lines.length === 0 ? (
            <p className="text-table text-text-3 px-3.5 py-3">
              {view.received > 0 ? t('noMatch') : state === 'ended' ? t('empty') : t('waiting')}
            </p>
          ) : (
            <LogList
              view={view}
              label={t('title', { number: build.number })}
              isWrapped
              hasTime={false}
              current={search.current}
              isFollowing={pausedAt === undefined}
              onFollow={(isFollowing) => setPausedAt(isFollowing ? undefined : view.received)}
              pausedAt={pausedAt ?? 0}
              texts={{
                paused: (count) => common('log.paused', { count }),
                resume: common('log.resume'),
              }}
              head={view.dropped > 0 && <LogBreak>{common('log.dropped', { count: view.dropped })}</LogBreak>}
            />
          )}
        </div>
      </div>
    </Card>
  );
}

/** The lines of one step alone. */
function stepQuery(number: number): LogQuery {
  return { ...openQuery, pattern: `^#${number} `, isRegex: true, isFiltering: true };
}

type StreamState = 'opening' | 'following' | 'lost' | 'ended';

/** Chunks of text become lines; what follows the last line break waits for the next chunk. */
function useBuildLog(
  imageId: string,
  number: number,
): { store: LogStore; state: StreamState; stages: readonly BuildStage[] } {
  const [store] = useState(() => new LogStore({ isWhole: true }));
  const [state, setState] = useState<StreamState>('opening');
  const [stages, setStages] = useState<readonly BuildStage[]>([]);
  useEffect(() => {
    let rest = '';
    const steps = new BuildSteps();
    const close = readEventStream(`/api/image/${imageId}/build-log?build=${number}&follow=1`, {
      onOpen: () => setState('following'),
      onLost: () => setState('lost'),
      onMessage: (data) => {
        const { text } = JSON.parse(data) as { text: string };
        const lines = (rest + text).split('\n');
        rest = lines.pop() ?? '';
        let isChanged = false;
        for (const line of lines) {
          store.push(line);
          isChanged = steps.take(line) || isChanged;
        }
        if (isChanged) setStages(steps.toStages());
      },
      onEnd: (data) => {
        if (rest) store.push(rest);
        const { status = '' } = JSON.parse(data) as { status?: string };
        // Empty where the log went out of reach, and the build may go on.
        if (isBuildOver(status)) steps.close(status === 'build_finished' ? 'done' : 'stopped');
        setStages(steps.toStages());
        setState('ended');
      },
    });
    return () => {
      close();
      store.clear();
    };
  }, [store, imageId, number]);
  return { store, state, stages };
}
