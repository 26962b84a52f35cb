'use client';

import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { setPreferences } from '@/components/data/preferences';
import { useRecordList } from '@/components/data/records';
import { useViewer } from '@/components/data/session-provider';
import type { HostRecord, ImageRecord, WorkspaceRecord } from '@/components/data/types';
import { addressesOf } from '@/components/records/addresses';
import { useMayCreate } from '@/components/records/use-may-create';
import { paths } from '@/lib/paths';
import { imageReference } from '@/lib/vocabulary/image-reference';

export interface FirstUseStep {
  key: 'host' | 'image' | 'workspace' | 'visit';
  isDone: boolean;
  isBusy?: boolean;
  text: string;
  links?: ReactNode;
}

const RECENT = { page: 1, perPage: 10, sort: '-updated', filter: 'template = false' };
const ONLINE_FIRST = { page: 1, perPage: 10, sort: '-status,name' };
const linkClass = 'text-accent-text rounded-sm font-medium hover:underline max-lg:py-1';

/** How far the viewer is on the way to a first workspace; undefined until that is known. */
export function useFirstUseSteps(hasOpened: boolean): FirstUseStep[] | undefined {
  const hosts = useRecordList('hosts', ONLINE_FIRST).data?.items;
  const images = useRecordList('images', RECENT).data?.items;
  const workspaces = useRecordList('workspaces', RECENT).data?.items;
  const hostStep = useHostStep(hosts?.find((host) => host.status === 'online'));
  const imageStep = useImageStep(images ?? []);
  const workspaceStep = useWorkspaceStep(images ?? [], workspaces ?? []);
  const visitStep = useVisitStep(workspaces ?? [], hasOpened);
  if (!hosts || !images || !workspaces) return undefined;
  return [hostStep, imageStep, workspaceStep, visitStep];
}

function useHostStep(online: HostRecord | undefined): FirstUseStep {
  const t = useTranslations('pages.workspaces.firstUse.host');
  const viewer = useViewer();
  return {
    key: 'host',
    isDone: online !== undefined,
    text: online ? t('there', { name: online.name }) : viewer.isAdmin ? t('none') : t('ask'),
    links: viewer.isAdmin && (
      <Link href={paths.hostAdd} className={linkClass}>
        {t('add')}
      </Link>
    ),
  };
}

function useImageStep(images: ImageRecord[]): FirstUseStep {
  const t = useTranslations('pages.workspaces.firstUse.image');
  const ready = images.find((image) => image.status === 'build_finished');
  const busy = images.find((image) => image.status === 'building');
  const mayMake = useMayCreate('canCreateImages');
  if (ready) return { key: 'image', isDone: true, text: t('there', { name: imageReference(ready) }) };
  if (busy)
    return {
      key: 'image',
      isDone: false,
      isBusy: true,
      text: t('building', { name: busy.name }),
      links: (
        <Link href={paths.image(busy.id)} className={linkClass}>
          {t('watch')}
        </Link>
      ),
    };
  return {
    key: 'image',
    isDone: false,
    text: mayMake ? t('none') : t('ask'),
    links: mayMake && (
      <>
        <Link href={paths.imageCreate} className={linkClass}>
          {t('build')}
        </Link>
        <Link href={paths.imagePull} className={linkClass}>
          {t('pull')}
        </Link>
      </>
    ),
  };
}

function useWorkspaceStep(images: ImageRecord[], workspaces: WorkspaceRecord[]): FirstUseStep {
  const t = useTranslations('pages.workspaces.firstUse.workspace');
  const running = workspaces.find((workspace) => workspace.status === 'running');
  const [newest] = workspaces;
  const mayMake = useMayCreate('canCreateWorkspaces');
  const hasImage = images.some((image) => image.status === 'build_finished');
  if (running) return { key: 'workspace', isDone: true, text: t('there', { name: running.name }) };
  return {
    key: 'workspace',
    isDone: false,
    text: newest ? t('made', { name: newest.name }) : !mayMake ? t('ask') : hasImage ? t('none') : t('wait'),
    links: newest ? (
      <Link href={paths.workspace(newest.id)} className={linkClass}>
        {t('see', { name: newest.name })}
      </Link>
    ) : (
      mayMake &&
      hasImage && (
        <Link href={paths.workspaceCreate} className={linkClass}>
          {t('start')}
        </Link>
      )
    ),
  };
}

function useVisitStep(workspaces: WorkspaceRecord[], hasOpened: boolean): FirstUseStep {
  const t = useTranslations('pages.workspaces.firstUse.visit');
  const running = workspaces.filter((workspace) => workspace.status === 'running');
  const reachable = running.find((workspace) => addressesOf(workspace).length > 0);
  const url = reachable && addressesOf(reachable)[0]?.url;
  const [first] = running;
  const visit = () => setPreferences({ hasOpenedWorkspace: true });
  return {
    key: 'visit',
    isDone: hasOpened && first !== undefined,
    text: url ? t('address', { address: url }) : first ? t('noPort', { name: first.name }) : t('wait'),
    links: url ? (
      <a href={url} target="_blank" rel="noreferrer" onClick={visit} className={linkClass}>
        {t('open', { name: reachable.name })}
      </a>
    ) : (
      first && (
        <Link href={paths.workspaceLogs(first.id)} onClick={visit} className={linkClass}>
          {t('logs', { name: first.name })}
        </Link>
      )
    ),
  };
}
