import type { ListQuestion } from '@/components/records/list-address';

export const fileQuestion: ListQuestion<'files'> = {
  collection: 'files',
  expand: 'created_by',
  defaultSort: '-updated',
};
