'use client';

import {
  Ban,
  ExternalLink,
  FolderOpen,
  Hammer,
  Play,
  RefreshCw,
  ScrollText,
  Square,
  SquareTerminal,
} from 'lucide-react';
import { useTranslations } from 'next-intl';
import { setPreferences } from '@/components/data/preferences';
import type { ImageRecord, WorkspaceRecord } from '@/components/data/types';
import { addressesOf } from '@/components/records/addresses';
import { imageRight, useImageActions } from '@/components/records/use-image-actions';
import {
  offeredActions,
  offersFiles,
  offersTerminal,
  useWorkspaceActions,
} from '@/components/records/use-workspace-actions';
import { allowedImageActions } from '@/lib/vocabulary/image-status';
import { paths } from '@/lib/paths';
import type { PaletteCommand } from './use-commands';

const workspaceIcons = { start: <Play />, stop: <Square />, redeploy: <RefreshCw /> };
const imageIcons = { build: <Hammer />, cancelBuild: <Ban /> };
const WORKSPACE_ACTS = ['start', 'stop', 'redeploy'] as const;
const IMAGE_ACTS = ['build', 'cancelBuild'] as const;

/** What the viewer may do now with a workspace or an image that was found. */
export function useRecordCommands(): (record: WorkspaceRecord | ImageRecord | undefined) => PaletteCommand[] {
  const t = useTranslations('common.actions');
  const own = useTranslations('layout.palette');
  const workspaces = useWorkspaceActions();
  const images = useImageActions();

  function ofWorkspace(workspace: WorkspaceRecord): PaletteCommand[] {
    const [address] = addressesOf(workspace);
    const offered = offeredActions(workspace);
    return [
      ...(address
        ? [
            {
              id: 'do:address',
              label: own('openPort', { port: address.port }),
              icon: <ExternalLink />,
              run: () => {
                setPreferences({ hasOpenedWorkspace: true });
                window.open(address.url, '_blank', 'noreferrer');
              },
            },
          ]
        : []),
      { id: 'do:logs', label: t('logs'), icon: <ScrollText />, href: paths.workspaceLogs(workspace.id) },
      ...(offersTerminal(workspace)
        ? [{ id: 'do:exec', label: t('exec'), icon: <SquareTerminal />, href: paths.workspaceExec(workspace.id) }]
        : []),
      ...(offersFiles(workspace)
        ? [{ id: 'do:files', label: t('files'), icon: <FolderOpen />, href: paths.workspaceFiles(workspace.id) }]
        : []),
      ...WORKSPACE_ACTS.filter((action) => offered.includes(action)).map((action) => ({
        id: `do:${action}`,
        label: t(action),
        icon: workspaceIcons[action],
        ...(action === 'redeploy'
          ? { href: paths.workspaceRedeploy(workspace.id) }
          : { run: () => void workspaces.ask([workspace], action) }),
      })),
    ];
  }

  function ofImage(image: ImageRecord): PaletteCommand[] {
    const allowed = allowedImageActions(image);
    const isPull = image.creationType === 'pullAnImage';
    return IMAGE_ACTS.filter((action) => allowed.includes(action) && image.can?.[imageRight[action]]).map((action) => ({
      id: `do:${action}`,
      label: action === 'build' && isPull ? own('pull') : own(action),
      icon: imageIcons[action],
      run: () => void images.ask([image], action),
    }));
  }

  return (record) => {
    if (!record) return [];
    return 'build_on' in record ? ofImage(record) : ofWorkspace(record);
  };
}
