'use client';

import clsx from 'clsx';
import dynamic from 'next/dynamic';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useFirstRecords } from '@/components/data/records';
import type { BuildRecord, ImageRecord } from '@/components/data/types';
import { Age } from '@/components/records/age';
import { useFormats } from '@/components/records/use-formats';
import { Person } from '@/components/records/person';
import { ShowMore } from '@/components/records/show-more';
import { ImageStatusLine } from '@/components/records/resource-status';
import { Button } from '@/components/ui/button';
import { Fold } from '@/components/ui/notice';
import { Card, Facts, Skeleton } from '@/components/ui/parts';
import { imageReference } from '@/lib/vocabulary/image-reference';
import { paths } from '@/lib/paths';
import { Duration } from './builds/duration';
import { NewerChecked, NewerNotice } from './newer-image';
import { wrongLineOf } from './wrong-line';

const BuildCard = dynamic(() => import('./builds/build-card').then((module) => module.BuildCard));

const BuildLog = dynamic(() => import('./build-log').then((module) => module.BuildLog));

/** What the image is, its builds, and the log of the one picked. */
export function ImageOverview({ image }: { image: ImageRecord }) {
  const { bytes } = useFormats();
  const t = useTranslations('pages.images.overview');
  const params = { filter: `image = '${image.id}'`, sort: '-number', expand: 'created_by' };
  const { items: rows, total, isPending, showMore } = useFirstRecords('builds', params);
  const [pickedId, setPickedId] = useState<string>();
  const picked = rows.find((build) => build.id === pickedId) ?? rows[0];
  return (
    <div className="grid gap-3.5">
      {image.status === 'error' && image.statusMessage && <FailedBuild image={image} />}
      <NewerNotice image={image} />
      <div className="grid grid-cols-[minmax(0,1fr)_380px] items-start gap-3.5 max-xl:grid-cols-1">
        <Card title={t('builds')} note={total || undefined}>
          {isPending && <Skeleton className="mx-3.5 mb-4 h-16" />}
          {!isPending && rows.length === 0 && <p className="text-table text-text-3 px-3.5 pb-3.5">{t('noBuilds')}</p>}
          {rows.length > 0 && (
            <ul className="border-line max-h-72 overflow-auto border-t">
              {rows.map((build) => (
                <BuildRow
                  key={build.id}
                  build={build}
                  isPicked={build.id === picked?.id}
                  onPick={() => setPickedId(build.id)}
                />
              ))}
            </ul>
          )}
          <ShowMore onClick={showMore} />
        </Card>
        <Card title={t('about')}>
          <Facts
            items={[
              {
                name: t('reference'),
                value: (
                  <span className="mono" title={imageReference(image)}>
                    {imageReference(image)}
                  </span>
                ),
              },
              {
                name: t('id'),
                value: (
                  <span className="mono" title={image.imageId}>
                    {image.imageId.replace('sha256:', '').slice(0, 12) || '–'}
                  </span>
                ),
              },
              ...(image.exposedPorts?.length
                ? [
                    {
                      name: t('ports'),
                      value: image.exposedPorts
                        .map(({ containerPort, protocol }) =>
                          protocol === 'udp' ? `${containerPort}/udp` : containerPort,
                        )
                        .join(', '),
                    },
                  ]
                : []),
              { name: t('size'), value: image.sizeBytes ? bytes(image.sizeBytes) : '–' },
              { name: t('kind'), value: t(`kinds.${image.creationType}`) },
              ...(image.creationType === 'pullAnImage'
                ? [{ name: t('newer'), value: <NewerChecked image={image} /> }]
                : []),
              { name: t('owner'), value: <Person user={image.expand?.created_by} /> },
              { name: t('created'), value: <Age at={image.created} /> },
              ...(image.description
                ? [{ name: t('description'), value: <span className="whitespace-normal">{image.description}</span> }]
                : []),
            ]}
          />
        </Card>
      </div>
      {picked && <BuildCard key={`${picked.id} card`} image={image} build={picked} builds={rows} />}
      {picked && <BuildLog key={picked.id} imageId={image.id} build={picked} />}
    </div>
  );
}

/** What the last build stumbled over, and the way to mend it. */
function FailedBuild({ image }: { image: ImageRecord }) {
  const t = useTranslations('pages.images.overview');
  const line = wrongLineOf(image.statusMessage, image.dockerfile);
  const mayEdit = image.can?.['modify'] === true && image.creationType === 'writeDockerfile';
  return (
    <div
      role="alert"
      className="border-bad-line bg-bad-soft text-table flex flex-wrap items-start gap-x-4 gap-y-2 rounded-md border px-3 py-2"
    >
      <div className="min-w-0 flex-1">
        <p className="text-bad-text mb-1 font-medium">{line ? t('failedAt', { line }) : t('failed')}</p>
        <Fold summary={t('engineWords')}>{image.statusMessage}</Fold>
      </div>
      {mayEdit && (
        <Button asChild size="sm">
          <Link href={paths.imageDockerfile(image.id)}>{t('editDockerfile')}</Link>
        </Button>
      )}
    </div>
  );
}

function BuildRow({ build, isPicked, onPick }: { build: BuildRecord; isPicked: boolean; onPick: () => void }) {
  const { bytes } = useFormats();
  const t = useTranslations('pages.images.overview');
  return (
    <li className="border-line border-b last:border-0">
      <button
        type="button"
        data-inset=""
        aria-pressed={isPicked}
        onClick={onPick}
        className={clsx(
          'text-table hover:bg-hover grid min-h-10 w-full grid-cols-[84px_minmax(0,1fr)_auto_64px_72px] items-center gap-3 px-3.5 text-left max-sm:grid-cols-[70px_minmax(0,1fr)_auto]',
          isPicked && 'bg-accent-soft',
        )}
      >
        <span className="font-medium">
          {t(build.kind === 'pull' ? 'pullNumber' : 'buildNumber', { number: build.number })}
        </span>
        <ImageStatusLine image={build} />
        <span className="text-text-2 max-sm:hidden">
          <Person user={build.expand?.created_by} />
        </span>
        <span className="text-small text-text-3 text-right tabular-nums max-sm:hidden">
          {build.sizeBytes > 0 && bytes(build.sizeBytes)}
        </span>
        <span className="text-small text-text-3 text-right tabular-nums">
          <Duration build={build} />
        </span>
      </button>
    </li>
  );
}
