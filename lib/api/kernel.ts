import 'server-only';
import './collections';
import type { Area } from '@/lib/http/area';
import { areas } from './areas';
import { startAreas } from './start-areas';
import { metricsRoutes } from '@/lib/metrics/routes';
import { createKernel, type Kernel } from '@/lib/http/kernel';
import type { Route } from '@/lib/http/context';
import { createRouter } from '@/lib/http/router';
import { healthCheckRoutes } from '@/lib/health/routes';
import { collectionRoutes } from './collection-routes';
import { fileRoutes } from './file-routes';
import { healthRoutes } from './health-routes';
import { logRoutes } from './log-routes';
import { openapiRoute } from './openapi-routes';
import { realtimeRoutes } from './realtime-routes';
import { permissionRoutes } from './permissions/routes';
import { recordRoutes } from './record-routes';
import { logRequest } from './request-log';
import { probeStorage } from './storage-probe';
import { tagRoutes } from './tag-routes';

const routes: readonly Route[] = [
  ...healthRoutes,
  ...healthCheckRoutes(probeStorage),
  ...metricsRoutes,
  ...recordRoutes,
  ...logRoutes,
  ...collectionRoutes,
  ...fileRoutes,
  ...realtimeRoutes,
  ...permissionRoutes,
  ...tagRoutes,
  ...(areas as readonly Area[]).flatMap(({ routes = [] }) => routes),
];

/** Every call under /api. */
export const apiRoutes: readonly Route[] = [...routes, openapiRoute(routes)];

let kernel: Kernel | undefined;

/** All of them behind one kernel. One per module copy, so that edits in development take effect. */
export function apiKernel(): Kernel {
  if (kernel) return kernel;
  startAreas();
  kernel = createKernel(createRouter(apiRoutes), logRequest);
  return kernel;
}
