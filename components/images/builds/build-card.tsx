'use client';

import { GitCompareArrows, History } from 'lucide-react';
import dynamic from 'next/dynamic';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import type { BuildRecord, ImageRecord } from '@/components/data/types';
import { Age } from '@/components/records/age';
import { useFormats } from '@/components/records/use-formats';
import { Person } from '@/components/records/person';
import { Button } from '@/components/ui/button';
import { Card, Facts } from '@/components/ui/parts';
import { allowedImageActions } from '@/lib/vocabulary/image-status';
import { isWhole, shortId } from '@/lib/vocabulary/build-lock';
import { Duration } from './duration';
import { isLocked, useBuildLock } from './use-build-lock';
import { useRebuild } from './use-rebuild';

const CompareDialog = dynamic(() => import('./compare-dialog').then((module) => module.CompareDialog));

interface BuildCardProps {
  image: ImageRecord;
  build: BuildRecord;
  /** Builds that may stand beside it, the newest first. */
  builds: BuildRecord[];
}

/** One build: who made it, when, what came of it, and what it stood on. */
export function BuildCard({ image, build, builds }: BuildCardProps) {
  const { bytes } = useFormats();
  const t = useTranslations('pages.images.builds');
  const overview = useTranslations('pages.images.overview');
  const { data: lock } = useBuildLock(build);
  const [isComparing, setComparing] = useState(false);
  const { rebuild, isBusy } = useRebuild(image);
  const others = builds.filter((other) => isLocked(other) && other.id !== build.id);
  const mayBuild =
    lock !== undefined &&
    isWhole(lock) &&
    image.can?.['build'] === true &&
    allowedImageActions(image).includes('build');
  const base = lock?.bases[0];
  return (
    <Card
      title={overview(build.kind === 'pull' ? 'pullNumber' : 'buildNumber', { number: build.number })}
      note={[build.lockOf > 0 && t('ofLock', { number: build.lockOf }), build.isGone && t('gone')]
        .filter(Boolean)
        .join(' · ')}
    >
      <div className="grid grid-cols-2 items-start max-md:grid-cols-1">
        <Facts
          items={[
            { name: t('by'), value: <Person user={build.expand?.created_by} /> },
            { name: t('asked'), value: <Age at={build.created} /> },
            { name: t('duration'), value: <Duration build={build} /> },
            { name: overview('size'), value: build.sizeBytes ? bytes(build.sizeBytes) : '–' },
          ]}
        />
        <Facts
          items={[
            { name: t('id'), value: <Id id={build.imageId} /> },
            ...(build.digest ? [{ name: t('digest'), value: <Id id={build.digest} /> }] : []),
            ...(base ? [{ name: t('base'), value: <Base name={base.name} id={base.digest || base.imageId} /> }] : []),
            ...(lock?.environments ?? []).map(({ name, python, packages, problem }) => ({
              name,
              value: problem ? (
                <span className="whitespace-normal">{problem}</span>
              ) : (
                t('packages', { count: packages.length, python: python || 'none' })
              ),
            })),
          ]}
        />
      </div>
      {isLocked(build) && (
        <div className="flex flex-wrap gap-2 px-3.5 pb-3.5">
          {others.length > 0 && (
            <Button size="sm" onClick={() => setComparing(true)}>
              <GitCompareArrows className="size-3.5" aria-hidden="true" />
              {t('compare')}
            </Button>
          )}
          {mayBuild && (
            <Button size="sm" isBusy={isBusy} title={t('rebuildHint')} onClick={() => void rebuild(build.number)}>
              <History className="size-3.5" aria-hidden="true" />
              {t('rebuild')}
            </Button>
          )}
        </div>
      )}
      {isComparing && <CompareDialog build={build} others={others} onClose={() => setComparing(false)} />}
    </Card>
  );
}

function Id({ id }: { id: string }) {
  if (!id) return '–';
  return (
    <span className="mono" title={id}>
      {shortId(id)}
    </span>
  );
}

function Base({ name, id }: { name: string; id: string }) {
  return (
    <span className="mono" title={`${name} ${id}`}>
      {name} {shortId(id)}
    </span>
  );
}
