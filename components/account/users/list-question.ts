import type { ListQuestion } from '@/components/records/list-address';

export const userQuestion: ListQuestion<'users'> = {
  collection: 'users',
  expand: '',
  defaultSort: 'name',
};
