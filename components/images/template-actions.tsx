'use client';

import type { ImageRecord } from '@/components/data/types';
import { TemplateHeadActions, TemplateRowActions, type TemplateActs } from '@/components/records/template-actions';
import { imageRight, useImageActions } from '@/components/records/use-image-actions';
import { useMayCreate } from '@/components/records/use-may-create';
import { paths } from '@/lib/paths';
import { allowedImageActions } from '@/lib/vocabulary/image-status';

interface TemplateActionsProps {
  template: ImageRecord;
  onDelete: () => void;
}

/** An image template holds no secrets: whoever sees it may make images from it. */
function useActs({ template, onDelete }: TemplateActionsProps): TemplateActs {
  const { ask } = useImageActions();
  const mayCreate = useMayCreate('canCreateImages');
  const offered = allowedImageActions(template).filter((action) => template.can?.[imageRight[action]]);
  return {
    name: template.name,
    useHref: mayCreate && template.enabled ? paths.imageFromTemplate(template.id) : undefined,
    copyHref: mayCreate ? paths.imageTemplateCreate(template.id) : undefined,
    change: offered.find((action) => action === 'enable' || action === 'disable'),
    onChange: (change) => void ask([template], change),
    onDelete: offered.includes('delete') ? onDelete : undefined,
  };
}

export function ImageTemplateHeadActions(props: TemplateActionsProps) {
  return <TemplateHeadActions acts={useActs(props)} />;
}

export function ImageTemplateRowActions(props: TemplateActionsProps) {
  return <TemplateRowActions acts={useActs(props)} />;
}
