import 'server-only';
import type { Area } from '@/lib/http/area';
import { addressIndex } from './address-index';
import { forwardAuthRoutes } from './routes';

export const forwardAuthArea = {
  collections: [],
  routes: forwardAuthRoutes,
  start() {
    addressIndex();
  },
} satisfies Area;
