'use client';

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'next-intl';
import { useWatch, type UseFormReturn } from 'react-hook-form';
import { ready } from '@/components/data/client';
import { inPageLanguage } from '@/components/data/server-words';
import { useRecordIfAny } from '@/components/data/records';
import type { HostRecord, ImageRecord } from '@/components/data/types';
import { useSettled } from '@/components/data/use-settled';
import type { GlyphKind } from '@/components/ui/glyph';
import { isReachableFrom } from '@/lib/vocabulary/image-reference';
import { toBody } from './workspace-body';
import type { WorkspaceValues } from './workspace-schema';

export interface StartCheck {
  key: 'name' | 'right' | 'online' | 'image' | 'reach' | 'gpus' | 'mounts' | 'ports' | 'quota' | 'simulated';
  kind: GlyphKind;
  text: string;
  detail?: string;
}

interface Problem {
  field: string;
  code: string;
  message: string;
}

const isOfQuota = ({ code }: Problem) => code.startsWith('validation_quota');

type Translate = ReturnType<typeof useTranslations<'pages.workspaces.checks'>>;

/** What stands in the way of a start, asked of the console while the form is filled. */
export function useStartChecks(form: UseFormReturn<WorkspaceValues>): StartCheck[] {
  const t = useTranslations('pages.workspaces.checks');
  const values = useWatch({ control: form.control }) as WorkspaceValues;
  const { problems: all, isAsked } = useProblems(values);
  // A name that is taken on the host is told at the name.
  const problems = all.filter(({ field, code }) => field !== 'host' || code !== 'validation_not_unique');
  const host = useRecordIfAny('hosts', values.host);
  const image = useRecordIfAny('images', values.image, 'build_on');
  const wrong = (field: string) =>
    problems.find((each) => !isOfQuota(each) && (each.field === field || each.field.startsWith(`${field}.`)));
  const known = (check: StartCheck): StartCheck =>
    isAsked || check.kind !== 'done' ? check : { ...check, kind: 'waiting' };
  return [
    known(nameCheck(t, values.name, wrong('name'))),
    known(rightCheck(t, host, wrong('host'))),
    onlineCheck(t, host),
    known(imageCheck(t, image, wrong('image'))),
    reachCheck(t, host, image),
    ...gpusCheck(t, values.gpus, wrong('gpus')).map(known),
    ...mountsCheck(t, values, wrong('volumes') ?? wrong('networks')).map(known),
    known(portsCheck(t, values, wrong('portMappings'))),
    ...quotaCheck(t, problems),
    ...(host?.engine?.kind === 'simulated'
      ? [{ key: 'simulated', kind: 'warn', text: t('simulated') } satisfies StartCheck]
      : []),
  ];
}

/** What a create would be refused for as the form is; nothing is made by asking. */
function useProblems(values: WorkspaceValues): { problems: Problem[]; isAsked: boolean } {
  const { name, host, image, portMappings, gpus, runtime, networks, volumes, volumePaths, ...rest } = toBody(values);
  const { cpuLimit, memoryLimit } = rest;
  const sent = {
    name,
    host,
    image,
    portMappings,
    gpus,
    runtime,
    networks,
    volumes,
    volumePaths,
    cpuLimit,
    memoryLimit,
  };
  const text = JSON.stringify(sent);
  const settled = useSettled(text);
  const { data, isPlaceholderData } = useQuery({
    queryKey: ['workspace-check', settled],
    queryFn: async () =>
      (await ready()).send<{ problems: Problem[] }>('/api/workspaces/check', {
        method: 'POST',
        body: JSON.parse(settled) as object,
      }),
    placeholderData: (previous) => previous,
  });
  return { problems: data?.problems ?? [], isAsked: data !== undefined && !isPlaceholderData && settled === text };
}

function nameCheck(t: Translate, name: string, problem: Problem | undefined): StartCheck {
  if (name.trim() === '') return { key: 'name', kind: 'off', text: t('giveName') };
  if (problem) return { key: 'name', kind: 'bad', text: t('nameWrong'), detail: problem.message };
  return { key: 'name', kind: 'done', text: t('nameFree') };
}

function rightCheck(t: Translate, host: HostRecord | undefined, problem: Problem | undefined): StartCheck {
  if (!host) return { key: 'right', kind: 'off', text: t('pickHost') };
  if (problem) return { key: 'right', kind: 'bad', text: t('noRight', { host: host.name }), detail: problem.message };
  return { key: 'right', kind: 'done', text: t('right', { host: host.name }) };
}

function onlineCheck(t: Translate, host: HostRecord | undefined): StartCheck {
  const key = 'online';
  if (!host) return { key, kind: 'off', text: t('hostFirst') };
  const away = t('hostAwayDetail');
  if (host.status !== 'online') return { key, kind: 'warn', text: t('hostAway', { host: host.name }), detail: away };
  if (host.engine && !host.engine.reachable)
    return { key, kind: 'warn', text: t('noEngine', { host: host.name }), detail: away };
  return { key, kind: 'done', text: t('hostOnline', { host: host.name }) };
}

function imageCheck(t: Translate, image: ImageRecord | undefined, problem: Problem | undefined): StartCheck {
  const key = 'image';
  if (!image) return { key, kind: 'off', text: t('pickImage') };
  // Which host it is for is the next check.
  if (problem && problem.code !== 'validation_wrong_host')
    return { key, kind: 'bad', text: t('imageWrong'), detail: problem.message };
  if (image.status === 'build_finished') return { key, kind: 'done', text: t('imageBuilt') };
  if (image.status !== 'error' || image.imageId === '') {
    const hasFailed = image.status === 'error';
    if (hasFailed) return { key, kind: 'bad', text: t('imageFailed'), detail: t('imageFailedDetail') };
    return { key, kind: 'warn', text: t('imageNotBuilt'), detail: t('imageNotBuiltDetail') };
  }
  return { key, kind: 'warn', text: t('imageFailed'), detail: t('imageOlder') };
}

function reachCheck(t: Translate, host: HostRecord | undefined, image: ImageRecord | undefined): StartCheck {
  const key = 'reach';
  if (!host || !image) return { key, kind: 'off', text: t('reachFirst') };
  if (image.build_on === host.id) return { key, kind: 'done', text: t('imageThere', { host: host.name }) };
  if (isReachableFrom(image, host.id)) return { key, kind: 'done', text: t('imagePulled', { host: host.name }) };
  const builtOn = image.expand?.build_on?.name;
  const detail = builtOn ? t('otherHostDetail', { host: builtOn }) : t('otherHostHidden');
  return { key, kind: 'bad', text: t('otherHost'), detail };
}

function gpusCheck(t: Translate, { by }: WorkspaceValues['gpus'], problem: Problem | undefined): StartCheck[] {
  const key = 'gpus';
  if (problem) return [{ key, kind: 'bad', text: t('gpusWrong'), detail: problem.message }];
  return by === 'none' ? [] : [{ key, kind: 'done', text: t('gpusThere') }];
}

function mountsCheck(
  t: Translate,
  { volumes, networks }: Pick<WorkspaceValues, 'volumes' | 'networks'>,
  problem: Problem | undefined,
): StartCheck[] {
  const key = 'mounts';
  if (problem) return [{ key, kind: 'bad', text: t('mountsWrong'), detail: problem.message }];
  const isAny = volumes.length > 0 || networks.length > 0;
  return isAny ? [{ key, kind: 'done', text: t('mountsOpen') }] : [];
}

function quotaCheck(t: Translate, problems: Problem[]): StartCheck[] {
  const refused = problems.filter(isOfQuota);
  if (refused.length === 0) return [];
  const detail = refused.map(({ message }) => inPageLanguage(message)).join(' ');
  return [{ key: 'quota', kind: 'bad', text: t('quotaWrong'), detail }];
}

function portsCheck(
  t: Translate,
  { portMappings: ports, externalUrls }: WorkspaceValues,
  problem: Problem | undefined,
): StartCheck {
  const key = 'ports';
  if (ports.length === 0 && externalUrls.length > 0) return { key, kind: 'done', text: t('onlyAddresses') };
  if (ports.length === 0) return { key, kind: 'warn', text: t('noPorts'), detail: t('noPortsDetail') };
  if (problem) return { key, kind: 'bad', text: t('portsWrong'), detail: problem.message };
  const isOpen = ports.every(({ hostPort }) => hostPort.trim() === '');
  return { key, kind: 'done', text: isOpen ? t('portsPicked') : t('portsFree') };
}
