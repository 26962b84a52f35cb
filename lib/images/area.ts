import 'server-only';
import type { Area } from '@/lib/http/area';
import { builds } from './builds';
import { images } from './collection';
import { registerImageDeletes } from './delete-image';
import { imagePermissions } from './permissions';
import { jobRoutes } from './job-routes';
import { packageRoutes } from './packages/routes';
import { imageRoutes } from './routes';

export const imagesArea = {
  collections: [images, imagePermissions, builds],
  routes: [...imageRoutes, ...packageRoutes, ...jobRoutes],
  start: registerImageDeletes,
} satisfies Area;
