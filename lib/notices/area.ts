import 'server-only';
import type { Area } from '@/lib/http/area';
import { timeNotices } from './collection';

export const noticesArea = {
  collections: [timeNotices],
  routes: [],
} satisfies Area;
