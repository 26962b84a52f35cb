import 'server-only';
import type { Area } from '@/lib/http/area';
import { backupPageRoutes } from './page-routes';
import { backupRoutes } from './routes';

export const backupsArea = {
  collections: [],
  routes: [...backupRoutes, ...backupPageRoutes],
} satisfies Area;
