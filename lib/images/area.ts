import 'server-only';
import type { Area } from '@/lib/http/area';
import { builds } from './builds';
import { images } from './collection';
import { registerImageDeletes } from './delete-image';
import { imagePermissions } from './permissions';
import { jobLogRoutes } from './job-log-routes';
import { imageRoutes } from './routes';

export const imagesArea = {
  collections: [images, imagePermissions, builds],
  routes: [...imageRoutes, ...jobLogRoutes],
  start: registerImageDeletes,
} satisfies Area;
