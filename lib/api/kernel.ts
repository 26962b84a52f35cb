import 'server-only';
import { createKernel, type Kernel } from '@/lib/http/kernel';
import { createRouter } from '@/lib/http/router';
import { authRoutes } from './auth-routes';
import { healthRoutes } from './health-routes';
import { setupRoutes } from './setup-routes';

let kernel: Kernel | undefined;

/** Every call under /api, behind one kernel. One per module copy, so that edits in development take effect. */
export function apiKernel(): Kernel {
  kernel ??= createKernel(createRouter([...healthRoutes, ...setupRoutes, ...authRoutes]));
  return kernel;
}
