'use client';

import { Box, History, Layers, Link2, Shield } from 'lucide-react';
import { useTranslations } from 'next-intl';
import { useState } from 'react';
import { useRecordCount, useRefresh } from '@/components/data/records';
import { useViewer } from '@/components/data/session-provider';
import type { WorkspaceRecord } from '@/components/data/types';
import { useTell } from '@/components/data/use-tell';
import { DeleteDialog, type DeletePart } from '@/components/records/delete-dialog';
import { ForceDelete } from './force-delete';
import { requestWorkspace } from '@/components/records/use-workspace-actions';
import { imageReference } from '@/lib/vocabulary/image-reference';

interface DeleteWorkspacesDialogProps {
  workspaces: WorkspaceRecord[];
  onClose: () => void;
  onDone?: () => void;
}

/** Deletes one workspace, by its name, or several, by their number. */
export function DeleteWorkspacesDialog({ workspaces, onClose, onDone }: DeleteWorkspacesDialogProps) {
  const t = useTranslations('pages.workspaces.deletion');
  const viewer = useViewer();
  const tell = useTell();
  const refresh = useRefresh();
  const [isForced, setForced] = useState(false);
  const one = workspaces.length === 1 ? workspaces[0] : undefined;
  const parts = useParts(one, workspaces);
  const isAway = workspaces.some((workspace) => workspace.expand?.host && workspace.expand.host.status !== 'online');

  async function remove() {
    for (const workspace of workspaces) await requestWorkspace(workspace.id, 'delete', { isForced });
    tell.done(t('asked', { count: workspaces.length, name: one?.name ?? '' }));
    await refresh('workspaces');
    onDone?.();
  }

  return (
    <DeleteDialog
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={one ? t('title', { name: one.name }) : t('titleMany', { count: workspaces.length })}
      text={t('text')}
      verification={one ? one.name : String(workspaces.length)}
      confirmLabel={t('button', { count: workspaces.length })}
      gone={parts.gone}
      kept={parts.kept}
      extra={viewer.isAdmin && isAway && <ForceDelete checked={isForced} onChange={setForced} />}
      onDelete={remove}
    />
  );
}

function useParts(
  one: WorkspaceRecord | undefined,
  all: WorkspaceRecord[],
): { gone: DeletePart[]; kept: DeletePart[] } {
  const t = useTranslations('pages.workspaces.deletion');
  const common = useTranslations('common.delete');
  const id = one?.id ?? '';
  const isEnabled = Boolean(one);
  const permissions = useRecordCount('workspace_permissions', `workspace = '${id}'`, { isEnabled }) ?? 0;
  const deployments = useRecordCount('deployments', `workspace = '${id}' && action != 'stop'`, { isEnabled }) ?? 0;
  if (!one) return { gone: all.map((workspace) => ({ icon: <Box />, name: workspace.name })), kept: [] };
  const ports = one.portMappings?.length ?? 0;
  const image = one.expand?.image;
  return {
    gone: [
      { icon: <Box />, name: t('container'), detail: t('containerDetail') },
      ...(ports > 0 ? [{ icon: <Link2 />, name: t('ports', { count: ports }) }] : []),
      ...(permissions > 0 ? [{ icon: <Shield />, name: common('permissions', { count: permissions }) }] : []),
      ...(deployments > 0 ? [{ icon: <History />, name: t('deployments', { count: deployments }) }] : []),
    ],
    kept: image ? [{ icon: <Layers />, name: t('image'), detail: imageReference(image) }] : [],
  };
}
