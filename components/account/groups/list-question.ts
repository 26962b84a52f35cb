import type { ListQuestion } from '@/components/records/list-address';

export const groupQuestion: ListQuestion<'groups'> = {
  collection: 'groups',
  expand: '',
  defaultSort: 'name',
};
