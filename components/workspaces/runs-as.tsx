'use client';

import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { useRecordList } from '@/components/data/records';
import type { WorkspaceRecord } from '@/components/data/types';
import { useFormats } from '@/components/records/use-formats';
import { Person } from '@/components/records/person';
import { CopyButton } from '@/components/ui/copy-button';
import { Card, Facts } from '@/components/ui/parts';
import { paths } from '@/lib/paths';
import { imageReference } from '@/lib/vocabulary/image-reference';
import { healthSpecOf, useChangeWords, type SettingChange } from './change-words';
import { useChanges } from './use-changes';

const ID_CHARS = 12;
const UP = ['running', 'starting', 'stopping', 'deploying'];

/** What really runs, or ran last, by the host's word; what is set otherwise is said beside it. */
export function RunsAs({ workspace }: { workspace: WorkspaceRecord }) {
  const { bytes } = useFormats();
  const t = useTranslations('pages.workspaces.overview');
  const common = useTranslations('common.actions');
  const changes = useChanges(workspace);
  const mounts = (workspace.volumes ?? []).map((volumeId) => ({
    volumeId,
    path: workspace.volumePaths?.[volumeId]?.path ?? '',
    readOnly: workspace.volumePaths?.[volumeId]?.readOnly ?? false,
  }));
  const words = useChangeWords([
    { field: 'volumes', from: mounts, to: null },
    { field: 'networks', from: workspace.networks, to: null },
  ]);
  const container = workspace.observedContainer;
  const title = !container ? t('willRunAs') : UP.includes(workspace.status) ? t('runsAs') : t('ranAs');
  const limits = [
    workspace.cpuLimit ? t('cores', { count: workspace.cpuLimit }) : '',
    workspace.memoryLimit ? bytes(workspace.memoryLimit) : '',
    workspace.shmSize ? t('shm', { size: bytes(workspace.shmSize) }) : '',
  ];
  const setting = (fields: string[], value: ReactNode) => (
    <Setting value={value} changes={changes.filter(({ field }) => fields.includes(field))} />
  );
  /** A line for what is set, or was: most workspaces have none of these. */
  const settings = (field: string, value: unknown, name: string) =>
    value || changes.some((change) => change.field === field)
      ? [
          {
            name,
            value: setting(
              [field],
              <span className="break-words whitespace-pre-wrap">{words.value(field, value, undefined)}</span>,
            ),
          },
        ]
      : [];
  const variables = t('variableCount', { count: workspace.environmentVariables?.length ?? 0 });
  return (
    <Card
      title={title}
      actions={
        <CopyButton
          isIcon
          text={() => JSON.stringify(workspace, null, 2)}
          label={t('copyJson')}
          copiedLabel={common('copied')}
        />
      }
    >
      <Facts
        items={[
          { name: t('image'), value: <RunningImage workspace={workspace} change={changes.find(isOtherImage)} /> },
          { name: t('owner'), value: <Person user={workspace.expand?.created_by} /> },
          { name: t('ports'), value: <Ports workspace={workspace} /> },
          { name: t('variables'), value: setting(['environmentVariables'], variables) },
          {
            name: t('limits'),
            value: setting(['cpuLimit', 'memoryLimit', 'shmSize'], limits.filter(Boolean).join(', ') || t('none')),
          },
          ...settings('gpus', workspace.gpus, t('gpus')),
          ...settings('runtime', workspace.runtime, t('runtime')),
          ...settings('volumes', mounts.length > 0 && mounts, t('volumes')),
          ...settings('networks', (workspace.networks ?? []).length > 0 && workspace.networks, t('networks')),
          ...settings('healthCheck', healthSpecOf(workspace.healthCheck), t('health')),
          { name: t('starts'), value: setting(['autoStart'], workspace.autoStart ? t('withHost') : t('byHand')) },
          ...(workspace.command || changes.some(({ field }) => field === 'command')
            ? [
                {
                  name: t('command'),
                  value: setting(
                    ['command'],
                    <span className="mono" title={workspace.command}>
                      {workspace.command}
                    </span>,
                  ),
                },
              ]
            : []),
          {
            name: t('container'),
            value: (
              <span className="mono" title={workspace.containerId || undefined}>
                {workspace.containerId.slice(0, ID_CHARS) || '–'}
              </span>
            ),
          },
        ]}
      />
    </Card>
  );
}

/** What was deployed of a setting; what it is set to meanwhile stands behind. */
function Setting({ value, changes }: { value: ReactNode; changes: SettingChange[] }) {
  const t = useTranslations('pages.workspaces.overview');
  const words = useChangeWords(changes);
  if (changes.length === 0) return value;
  return changes.map(({ field, from, to }) => (
    <span key={field} className="block break-words whitespace-pre-wrap">
      {changes.length > 1 && <span className="text-text-3">{words.field(field)}: </span>}
      {words.value(field, from, to)}{' '}
      <span className="text-warn-text whitespace-normal">{t('setTo', { value: words.value(field, to, from) })}</span>
    </span>
  ));
}

/** The image that the container was made from, which is not the newest build where nobody redeployed. */
function RunningImage({ workspace, change }: { workspace: WorkspaceRecord; change: SettingChange | undefined }) {
  const t = useTranslations('pages.workspaces.overview');
  const image = workspace.expand?.image;
  const runs = workspace.observedContainer?.imageId ?? '';
  const builds = useRecordList('builds', {
    page: 1,
    perPage: 50,
    filter: `image = '${workspace.image}'`,
    sort: '-number',
  });
  const build = builds.data?.items.find(({ imageId }) => runs !== '' && imageId === runs)?.number;
  if (!image) return runs ? <span className="mono">{shortId(runs)}</span> : '–';
  if (change) return <Setting value={null} changes={[change]} />;
  // Another host's engine may know the same image by another id.
  const isOther = runs !== '' && image.build_on === workspace.host && image.imageId !== '' && image.imageId !== runs;
  const shown = runs === '' ? image.buildNumber : build;
  return (
    <>
      <Link href={paths.image(image.id)} className="mono text-accent-text rounded-sm hover:underline">
        {imageReference(image)}
      </Link>{' '}
      <span className="text-text-3">{shown ? t('build', { number: shown }) : ''}</span>
      {runs !== '' && (
        <span className="mono text-text-3 block" title={runs}>
          {shortId(runs)}
        </span>
      )}
      {workspace.imageBuild > 0 && (
        <span className="text-text-2 block whitespace-normal">{t('staysWith', { number: workspace.imageBuild })}</span>
      )}
      {isOther && workspace.imageBuild === 0 && (
        <span className="text-warn-text block whitespace-normal">{t('otherImage', { number: image.buildNumber })}</span>
      )}
    </>
  );
}

/** Whether another image is set than the one that was deployed, not only a newer build of it. */
function isOtherImage({ field, from, to }: SettingChange): boolean {
  const referenceOf = (value: unknown) => (value as { reference?: string } | null)?.reference;
  return field === 'image' && referenceOf(from) !== referenceOf(to);
}

function shortId(imageId: string): string {
  return imageId.replace('sha256:', '').slice(0, ID_CHARS);
}

function Ports({ workspace }: { workspace: WorkspaceRecord }) {
  const t = useTranslations('pages.workspaces.overview');
  const asked = workspace.portMappings ?? [];
  const all = workspace.observedPorts?.length ? workspace.observedPorts : asked;
  const words = all.map(({ containerPort, hostPort, protocol }) => {
    return `${containerPort} → ${hostPort || '*'}${protocol === 'udp' ? '/udp' : ''}`;
  });
  if (words.length === 0) return t('none');
  return (
    <span className="mono" title={words.join(', ')}>
      {words.join(', ')}
    </span>
  );
}
