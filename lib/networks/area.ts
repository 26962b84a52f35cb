import type { Area } from '@/lib/http/area';
import { networks } from './collection';
import { networkPermissions } from './permissions';

export const networksArea = {
  collections: [networks, networkPermissions],
} satisfies Area;
