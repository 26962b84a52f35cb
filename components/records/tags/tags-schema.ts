import { z } from 'zod';
import { isTag, tagLimits } from '@/lib/vocabulary/tags';

/** The tags of a record in a form. */
export const tagsSchema = z
  .array(z.string().refine(isTag, 'invalidTag'))
  .max(tagLimits.perRecord, 'maxNumberOfItemsExceeded');
