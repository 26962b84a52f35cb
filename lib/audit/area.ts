import 'server-only';
import type { Area } from '@/lib/http/area';
import { audit } from './collection';
import { auditRoutes } from './routes';
import { registerAuditWrites } from './writes';

export const auditArea = {
  collections: [audit],
  routes: auditRoutes,
  start: registerAuditWrites,
} satisfies Area;
