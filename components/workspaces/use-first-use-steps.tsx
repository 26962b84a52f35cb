'use client';

import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { setPreferences } from '@/components/data/preferences';
import { useRecordList } from '@/components/data/records';
import { NO_TEMPLATE } from '@/components/data/templates';
import { useViewer } from '@/components/data/session-provider';
import type { HostRecord, ImageRecord, WorkspaceRecord } from '@/components/data/types';
import { addressesOf } from '@/components/records/addresses';
import { engineText } from '@/components/records/engine-text';
import { useFormats } from '@/components/records/use-formats';
import { useMayCreate } from '@/components/records/use-may-create';
import { Button } from '@/components/ui/button';
import { paths } from '@/lib/paths';
import { imageReference } from '@/lib/vocabulary/image-reference';
import { StarterButtons } from './starter-buttons';

export interface FirstUseStep {
  key: 'host' | 'image' | 'workspace' | 'visit';
  isDone: boolean;
  isBusy?: boolean;
  text: string;
  actions?: ReactNode;
}

export interface FirstUseSteps {
  steps: FirstUseStep[];
  hasWorkspaces: boolean;
}

const RECENT = { page: 1, perPage: 10, sort: '-updated', filter: NO_TEMPLATE };
const ONLINE_FIRST = { page: 1, perPage: 10, sort: '-status,name' };

/** How far the viewer is on the way to a first workspace; undefined until that is known, and where it can't be. */
export function useFirstUseSteps(hasOpened: boolean, isEnabled: boolean): FirstUseSteps | undefined {
  const hostList = useRecordList('hosts', ONLINE_FIRST, { isEnabled });
  const imageList = useRecordList('images', RECENT, { isEnabled });
  const workspaceList = useRecordList('workspaces', RECENT, { isEnabled });
  const images = imageList.data?.items ?? [];
  const workspaces = workspaceList.data?.items ?? [];
  const host = hostList.data?.items.find(({ status }) => status === 'online');
  const steps = [
    useHostStep(host),
    useImageStep(images, host),
    useWorkspaceStep(images, workspaces),
    useVisitStep(workspaces, hasOpened),
  ];
  const isKnown = [hostList, imageList, workspaceList].every(({ data, isError }) => data && !isError);
  return isKnown ? { steps, hasWorkspaces: workspaces.length > 0 } : undefined;
}

function StepLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Button asChild size="sm" variant="ghost">
      <Link href={href}>{children}</Link>
    </Button>
  );
}

function useHostStep(online: HostRecord | undefined): FirstUseStep {
  const { bytes } = useFormats();
  const t = useTranslations('pages.workspaces.firstUse.host');
  const viewer = useViewer();
  const size = online?.resources;
  const there =
    online &&
    (size
      ? t('there', {
          name: online.name,
          engine: engineText(online),
          cores: size.cpuCores,
          memory: bytes(size.memoryBytes),
        })
      : t('online', { name: online.name }));
  return {
    key: 'host',
    isDone: online !== undefined,
    text: there ?? (viewer.isAdmin ? t('none') : t('ask')),
    actions: viewer.isAdmin && <StepLink href={paths.hostAdd}>{online ? t('another') : t('add')}</StepLink>,
  };
}

function useImageStep(images: ImageRecord[], host: HostRecord | undefined): FirstUseStep {
  const t = useTranslations('pages.workspaces.firstUse.image');
  const ready = images.find((image) => image.status === 'build_finished');
  const busy = images.find((image) => image.status === 'building');
  const failed = images.find((image) => image.status === 'error');
  const mayMake = useMayCreate('canCreateImages');
  if (ready) return { key: 'image', isDone: true, text: t('there', { name: imageReference(ready) }) };
  if (busy) {
    const actions = <StepLink href={paths.image(busy.id)}>{t('watch')}</StepLink>;
    return { key: 'image', isDone: false, isBusy: true, text: t('building', { name: busy.name }), actions };
  }
  const mayStart = mayMake && host?.can?.['canCreateImages'] === true;
  return {
    key: 'image',
    isDone: false,
    text: failed ? t('failed', { name: failed.name }) : mayMake === false ? t('ask') : t('none'),
    actions: mayMake && (
      <>
        {failed && <StepLink href={paths.image(failed.id)}>{t('see', { name: failed.name })}</StepLink>}
        {mayStart && <StarterButtons hostId={host.id} />}
        <StepLink href={paths.imageCreate}>{t('own')}</StepLink>
      </>
    ),
  };
}

function useWorkspaceStep(images: ImageRecord[], workspaces: WorkspaceRecord[]): FirstUseStep {
  const t = useTranslations('pages.workspaces.firstUse.workspace');
  const running = workspaces.find((workspace) => workspace.status === 'running');
  const [newest] = workspaces;
  const mayMake = useMayCreate('canCreateWorkspaces');
  const image = images.find(({ status }) => status === 'build_finished');
  if (running) return { key: 'workspace', isDone: true, text: t('there', { name: running.name }) };
  if (newest) {
    const actions = <StepLink href={paths.workspace(newest.id)}>{t('see', { name: newest.name })}</StepLink>;
    return { key: 'workspace', isDone: false, text: t('made', { name: newest.name }), actions };
  }
  return {
    key: 'workspace',
    isDone: false,
    text: mayMake === false ? t('ask') : image ? t('none') : t('wait'),
    actions:
      mayMake &&
      (image ? (
        <Button asChild size="sm" variant="primary">
          <Link href={paths.workspaceCreateFrom(image.id)}>{t('start')}</Link>
        </Button>
      ) : (
        <Button size="sm" disabled>
          {t('start')}
        </Button>
      )),
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
    actions: url ? (
      <Button asChild size="sm" variant="primary">
        <a href={url} target="_blank" rel="noreferrer" onClick={visit}>
          {t('open', { name: reachable.name })}
        </a>
      </Button>
    ) : (
      first && (
        <Button asChild size="sm">
          <Link href={paths.workspaceLogs(first.id)} onClick={visit}>
            {t('logs', { name: first.name })}
          </Link>
        </Button>
      )
    ),
  };
}
