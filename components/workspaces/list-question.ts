import { NO_TEMPLATE } from '@/components/data/templates';
import type { ListQuestion } from '@/components/records/list-address';

export const workspaceQuestion: ListQuestion<'workspaces'> = {
  collection: 'workspaces',
  baseFilter: NO_TEMPLATE,
  expand: 'image,host,created_by',
  defaultSort: '-updated',
};
