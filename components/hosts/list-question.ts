import type { ListQuestion } from '@/components/records/list-address';

export const hostQuestion: ListQuestion<'hosts'> = {
  collection: 'hosts',
  expand: '',
  defaultSort: 'name',
};
