'use client';

import { Cable, FolderOpen, SquareTerminal } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { WorkspaceRecord } from '@/components/data/types';
import { offersFiles, offersTerminal } from '@/components/records/use-workspace-actions';
import { MenuItem } from '@/components/ui/menu';
import { paths } from '@/lib/paths';

/** The terminals of a workspace in its menus, where it runs and the viewer may, and its files. */
export function TerminalItems({ workspace }: { workspace: WorkspaceRecord }) {
  const t = useTranslations('common.actions');
  const items = [
    ...(offersTerminal(workspace)
      ? ([
          ['exec', paths.workspaceExec, SquareTerminal],
          ['attach', paths.workspaceAttach, Cable],
        ] as const)
      : []),
    ...(offersFiles(workspace) ? ([['files', paths.workspaceFiles, FolderOpen]] as const) : []),
  ];
  return items.map(([name, pathOf, Icon]) => (
    <MenuItem key={name} asChild>
      <Link href={pathOf(workspace.id)}>
        <Icon />
        {t(name)}
      </Link>
    </MenuItem>
  ));
}
