'use client';

import type { WorkspaceRecord } from '@/components/data/types';
import { TemplateHeadActions, TemplateRowActions, type TemplateActs } from '@/components/records/template-actions';
import { useMayCreate } from '@/components/records/use-may-create';
import { offeredActions, useWorkspaceActions } from '@/components/records/use-workspace-actions';
import { paths } from '@/lib/paths';

interface TemplateActionsProps {
  template: WorkspaceRecord;
  onDelete: () => void;
}

/** What is made from a template takes over its secrets: that needs the right to deploy it. */
function useActs({ template, onDelete }: TemplateActionsProps): TemplateActs {
  const { ask } = useWorkspaceActions();
  const mayCreate = useMayCreate('canCreateWorkspaces') === true && template.can?.['deploy'] === true;
  const offered = offeredActions(template);
  return {
    name: template.name,
    useHref: mayCreate && template.enabled ? paths.workspaceFromTemplate(template.id) : undefined,
    copyHref: mayCreate ? paths.workspaceTemplateCreate(template.id) : undefined,
    change: offered.find((action) => action === 'enable' || action === 'disable'),
    onChange: (change) => void ask([template], change),
    onDelete: offered.includes('delete') ? onDelete : undefined,
  };
}

export function WorkspaceTemplateHeadActions(props: TemplateActionsProps) {
  return <TemplateHeadActions acts={useActs(props)} />;
}

export function WorkspaceTemplateRowActions(props: TemplateActionsProps) {
  return <TemplateRowActions acts={useActs(props)} />;
}
