import 'server-only';
import type { Area } from '@/lib/http/area';
import { backupRoutes } from './routes';

export const backupsArea = {
  collections: [],
  routes: backupRoutes,
} satisfies Area;
