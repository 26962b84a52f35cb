import 'server-only';
import type { Area } from '@/lib/http/area';
import { registerResource } from '@/lib/hosts/resource-link';
import { hostVolume } from './at-host';
import { volumeBackups } from './backups/collection';
import { registerFileRemoval } from './backups/forget-backups';
import { volumeBackupRoutes } from './backups/routes';
import { volumes } from './collection';
import { volumeFileRoutes } from './files/routes';
import { volumePermissions } from './permissions';
import { volumeRoutes } from './routes';

export const volumesArea = {
  collections: [volumes, volumePermissions, volumeBackups],
  routes: [...volumeRoutes, ...volumeFileRoutes, ...volumeBackupRoutes],
  start: () => {
    registerResource(hostVolume);
    registerFileRemoval();
  },
} satisfies Area;
