import type { ListQuestion } from '@/components/records/list-address';

export const domainQuestion: ListQuestion<'domains'> = {
  collection: 'domains',
  expand: 'host,created_by',
  defaultSort: 'url',
};
