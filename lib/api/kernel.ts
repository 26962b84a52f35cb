import 'server-only';
import '@/lib/collections/all';
import { registerCommands } from '@/lib/commands/register';
import { createKernel, type Kernel } from '@/lib/http/kernel';
import type { Route } from '@/lib/http/context';
import { createRouter } from '@/lib/http/router';
import { accountRoutes } from './account-routes';
import { adminRoutes } from './admin-routes';
import { agentRoutes } from './agent-routes';
import { auditRoutes } from './audit-routes';
import { authRoutes } from './auth-routes';
import { apiTokenRoutes } from './api-token-routes';
import { backupRoutes } from './backup-routes';
import { collectionRoutes } from './collection-routes';
import { consoleSettingsRoutes } from './console-settings-routes';
import { fileRoutes } from './file-routes';
import { healthRoutes } from './health-routes';
import { hostRoutes } from './host-routes';
import { imageRoutes } from './image-routes';
import { logRoutes } from './log-routes';
import { oauthRoutes } from './oauth-routes';
import { openapiRoutes } from './openapi-routes';
import { passkeyRoutes } from './passkey-routes';
import { realtimeRoutes } from './realtime-routes';
import { recordRoutes } from './record-routes';
import { logRequest } from './request-log';
import { secondFactorRoutes } from './second-factor-routes';
import { sessionRoutes } from './session-routes';
import { settingsRoutes } from './settings-routes';
import { setupRoutes } from './setup-routes';
import { workspaceRoutes } from './workspace-routes';

/** Every call under /api. */
export const apiRoutes: readonly Route[] = [
  ...healthRoutes,
  ...openapiRoutes,
  ...setupRoutes,
  ...sessionRoutes,
  ...authRoutes,
  ...accountRoutes,
  ...apiTokenRoutes,
  ...secondFactorRoutes,
  ...passkeyRoutes,
  ...oauthRoutes,
  ...recordRoutes,
  ...adminRoutes,
  ...settingsRoutes,
  ...consoleSettingsRoutes,
  ...logRoutes,
  ...auditRoutes,
  ...collectionRoutes,
  ...backupRoutes,
  ...fileRoutes,
  ...realtimeRoutes,
  ...hostRoutes,
  ...imageRoutes,
  ...workspaceRoutes,
  ...agentRoutes,
];

let kernel: Kernel | undefined;

/** All of them behind one kernel. One per module copy, so that edits in development take effect. */
export function apiKernel(): Kernel {
  if (kernel) return kernel;
  registerCommands();
  kernel = createKernel(createRouter(apiRoutes), logRequest);
  return kernel;
}
