import 'server-only';
import type { Area } from '@/lib/http/area';
import { builds } from './builds';
import { images } from './collection';
import { registerImageDeletes } from './delete-image';
import { registerForgetting } from './forget-old-builds';
import { imagePermissions } from './permissions';
import { jobRoutes } from './job-routes';
import { packageRoutes } from './packages/routes';
import { diskRoutes } from './disk/disk-routes';
import { checkRoutes } from './check/check-routes';
import { lockRoutes } from './locks/lock-routes';
import { newerRoutes } from './newer/newer-routes';
import { imageRoutes } from './routes';

export const imagesArea = {
  collections: [images, imagePermissions, builds],
  routes: [
    ...imageRoutes,
    ...packageRoutes,
    ...lockRoutes,
    ...checkRoutes,
    ...jobRoutes,
    ...diskRoutes,
    ...newerRoutes,
  ],
  start: () => {
    registerImageDeletes();
    registerForgetting();
  },
} satisfies Area;
