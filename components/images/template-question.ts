import { ONLY_TEMPLATES } from '@/components/data/templates';
import type { ListQuestion } from '@/components/records/list-address';

export const templateQuestion: ListQuestion<'images'> = {
  collection: 'images',
  baseFilter: ONLY_TEMPLATES,
  expand: 'build_on,created_by',
  defaultSort: '-updated',
};
