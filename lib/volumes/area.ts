import type { Area } from '@/lib/http/area';
import { volumes } from './collection';
import { volumePermissions } from './permissions';

export const volumesArea = {
  collections: [volumes, volumePermissions],
} satisfies Area;
