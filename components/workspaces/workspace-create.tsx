'use client';

import { useSearchParams } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { SourceLoading } from '@/components/records/source-loading';
import { useWorkspaceSource } from './workspace-source';
import { WorkspaceCreateForm } from './workspace-create-form';

/** A new workspace or template, empty or like the one that the address names. */
export function WorkspaceCreate({ isTemplate = false }: { isTemplate?: boolean }) {
  const t = useTranslations('pages.workspaces');
  const id = useSearchParams().get('templateId') ?? '';
  const source = useWorkspaceSource(id);
  if (id !== '' && source.isPending)
    return <SourceLoading title={t(isTemplate ? 'templates.create' : 'create.title')} />;
  return <WorkspaceCreateForm key={id} isTemplate={isTemplate} source={source.data} hasNoSource={source.isError} />;
}
