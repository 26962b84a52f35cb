import type { Area } from '@/lib/http/area';
import { recommendations } from './collection';

export const recommendationsArea = {
  collections: [recommendations],
} satisfies Area;
