import type { ListQuestion } from '@/components/records/list-address';

export const templateQuestion: ListQuestion<'workspaces'> = {
  collection: 'workspaces',
  baseFilter: 'template = true',
  expand: 'image,host,created_by',
  defaultSort: '-updated',
};
