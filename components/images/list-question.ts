import { NO_TEMPLATE } from '@/components/data/templates';
import type { ListQuestion } from '@/components/records/list-address';

export const imageQuestion: ListQuestion<'images'> = {
  collection: 'images',
  baseFilter: NO_TEMPLATE,
  expand: 'build_on,created_by',
  defaultSort: '-updated',
};
