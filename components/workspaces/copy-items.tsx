'use client';

import { Copy, Files } from 'lucide-react';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { useMayCreate } from '@/components/records/use-may-create';
import { MenuItem } from '@/components/ui/menu';
import { paths } from '@/lib/paths';

/** Menu entries that make another of a workspace: one that runs, or a template. */
export function CopyItems({ workspaceId }: { workspaceId: string }) {
  const t = useTranslations('common.actions');
  if (!useMayCreate('canCreateWorkspaces')) return null;
  return (
    <>
      <MenuItem asChild>
        <Link href={paths.workspaceFromTemplate(workspaceId)}>
          <Files />
          {t('duplicate')}
        </Link>
      </MenuItem>
      <MenuItem asChild>
        <Link href={paths.workspaceTemplateCreate(workspaceId)}>
          <Copy />
          {t('saveAsTemplate')}
        </Link>
      </MenuItem>
    </>
  );
}
