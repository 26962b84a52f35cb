import type { ListQuestion } from '@/components/records/list-address';

export const networkQuestion: ListQuestion<'networks'> = {
  collection: 'networks',
  expand: 'host,created_by',
  defaultSort: 'name',
};
