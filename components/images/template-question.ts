import type { ListQuestion } from '@/components/records/list-address';

export const templateQuestion: ListQuestion<'images'> = {
  collection: 'images',
  baseFilter: 'template = true',
  expand: 'build_on,created_by',
  defaultSort: '-updated',
};
