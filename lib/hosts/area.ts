import 'server-only';
import type { Area } from '@/lib/http/area';
import { hosts } from './collection';
import { registerHostHooks } from './host-hooks';
import { agentRoutes } from './link/agent-routes';
import { hostPermissions } from './permissions';
import { proxyRoutes } from './proxy/routes';
import { hostRoutes } from './routes';
import { hostTerminalRoutes } from './terminals/routes';

export const hostsArea = {
  collections: [hosts, hostPermissions],
  routes: [...agentRoutes, ...hostRoutes, ...hostTerminalRoutes, ...proxyRoutes],
  start: registerHostHooks,
} satisfies Area;
