import 'server-only';
import type { Area } from '@/lib/http/area';
import { settingsRoutes } from './api-routes';
import { settings } from './collection';
import { consoleSettingsRoutes } from './routes';

export const settingsArea = {
  collections: [settings],
  routes: [...settingsRoutes, ...consoleSettingsRoutes],
} satisfies Area;
