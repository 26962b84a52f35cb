import 'server-only';
import type { Area } from '@/lib/http/area';
import { quotas } from './collection';
import { quotaRoutes } from './routes';

export const quotasArea = { collections: [quotas], routes: quotaRoutes } satisfies Area;
