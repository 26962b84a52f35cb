import type { ListQuestion } from '@/components/records/list-address';

export const volumeQuestion: ListQuestion<'volumes'> = {
  collection: 'volumes',
  expand: 'host,created_by',
  defaultSort: 'name',
};
