import { z } from 'zod';
import { tagLimits } from '@/lib/vocabulary/tags';

/** The tags of a record in a form; its field lets in nothing else. */
export const tagsSchema = z.array(z.string()).max(tagLimits.perRecord, 'maxNumberOfItemsExceeded');
