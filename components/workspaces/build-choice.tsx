'use client';

import { useFormatter, useTranslations } from 'next-intl';
import { dateMs } from '@/components/data/dates';
import { useRecordList } from '@/components/data/records';
import type { WorkspaceRecord } from '@/components/data/types';
import { Field } from '@/components/ui/field';
import { Select } from '@/components/ui/select';
import { isInRegistry } from '@/lib/vocabulary/image-reference';
import type { RedeployOptions } from '@/lib/vocabulary/redeploy';

interface BuildChoiceProps {
  workspace: WorkspaceRecord;
  options: RedeployOptions;
  onChange: (options: RedeployOptions) => void;
}

const MOST = 20;

/** Which build of its image a workspace is to run: the newest, or an earlier one that its host has or can pull by its digest. */
export function BuildChoice({ workspace, options, onChange }: BuildChoiceProps) {
  const t = useTranslations('pages.workspaces.redeploy');
  const format = useFormatter();
  const image = workspace.expand?.image;
  const isThere =
    image && isInRegistry(image) ? "(isGone = false || (digest != '' && reference != ''))" : 'isGone = false';
  const filter = `image = '${workspace.image}' && status = 'build_finished' && ${isThere}`;
  const { data } = useRecordList('builds', { page: 1, perPage: MOST, filter, sort: '-number' });
  const builds = data?.items ?? [];
  const chosen = options.build ?? workspace.imageBuild;
  if (builds.length < 2 && workspace.imageBuild === 0) return null;
  const asked = (created: string) => format.dateTime(dateMs(created) ?? 0, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <Field label={t('build')} hint={chosen > 0 ? t('buildStays') : t('buildNewestHint')}>
      {(control) => (
        <Select
          {...control}
          value={String(chosen)}
          onValueChange={(value) => onChange({ ...options, build: Number(value) })}
          options={[
            { value: '0', label: t('buildNewest', { number: builds[0]?.number ?? 0 }) },
            ...builds.map(({ number, created }) => ({
              value: String(number),
              label: t('buildNumber', { number, at: asked(created) }),
            })),
          ]}
        />
      )}
    </Field>
  );
}
