'use client';

import { useState } from 'react';
import { api } from '@/components/data/client';
import type { WorkspaceRecord } from '@/components/data/types';
import { IconTile } from '@/components/ui/parts';
import { initialsOf } from './format';

/** Address of a workspace's icon as a small square; empty without one. */
export function workspaceIconUrl({ id, icon }: Pick<WorkspaceRecord, 'id' | 'icon'>): string {
  return icon ? api().files.getUrl({ id, collectionName: 'workspaces' }, icon, { thumb: '300x300' }) : '';
}

/** A workspace's icon, or its initials. */
export function WorkspaceIcon({
  workspace,
  size = 'sm',
}: {
  workspace: Pick<WorkspaceRecord, 'id' | 'icon' | 'name'>;
  size?: 'sm' | 'lg';
}) {
  const url = workspaceIconUrl(workspace);
  const [lostUrl, setLostUrl] = useState('');
  return (
    <IconTile size={size}>
      {url && url !== lostUrl ? (
        <img src={url} alt="" className="size-full object-cover" onError={() => setLostUrl(url)} />
      ) : (
        initialsOf(workspace.name)
      )}
    </IconTile>
  );
}
