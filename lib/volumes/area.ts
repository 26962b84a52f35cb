import 'server-only';
import type { Area } from '@/lib/http/area';
import { registerResource } from '@/lib/hosts/resource-link';
import { hostVolume } from './at-host';
import { volumes } from './collection';
import { volumePermissions } from './permissions';
import { volumeRoutes } from './routes';

export const volumesArea = {
  collections: [volumes, volumePermissions],
  routes: volumeRoutes,
  start: () => registerResource(hostVolume),
} satisfies Area;
