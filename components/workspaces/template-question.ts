import { ONLY_TEMPLATES } from '@/components/data/templates';
import type { ListQuestion } from '@/components/records/list-address';

export const templateQuestion: ListQuestion<'workspaces'> = {
  collection: 'workspaces',
  baseFilter: ONLY_TEMPLATES,
  expand: 'image,host,created_by',
  defaultSort: '-updated',
};
