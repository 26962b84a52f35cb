import 'server-only';
import './collections';
import { registerCommands } from './register';
import { createKernel, type Kernel } from '@/lib/http/kernel';
import type { Route } from '@/lib/http/context';
import { createRouter } from '@/lib/http/router';
import { accountRoutes } from '@/lib/accounts/routes';
import { adminRoutes } from '@/lib/accounts/sign-in/admin-routes';
import { agentRoutes } from '@/lib/hosts/link/agent-routes';
import { auditRoutes } from '@/lib/audit/routes';
import { authRoutes } from '@/lib/accounts/sign-in/auth-routes';
import { apiTokenRoutes } from '@/lib/accounts/security/api-token-routes';
import { backupRoutes } from '@/lib/backups/routes';
import { collectionRoutes } from './collection-routes';
import { consoleSettingsRoutes } from '@/lib/settings/routes';
import { fileRoutes } from './file-routes';
import { healthRoutes } from './health-routes';
import { hostRoutes } from '@/lib/hosts/routes';
import { imageRoutes } from '@/lib/images/routes';
import { jobLogRoutes } from '@/lib/images/job-log-routes';
import { logRoutes } from './log-routes';
import { oauthRoutes } from '@/lib/accounts/sign-in/oauth-routes';
import { openapiRoutes } from './openapi-routes';
import { passkeyRoutes } from '@/lib/accounts/security/passkey-routes';
import { realtimeRoutes } from './realtime-routes';
import { recordRoutes } from './record-routes';
import { logRequest } from './request-log';
import { secondFactorRoutes } from '@/lib/accounts/security/second-factor-routes';
import { sessionRoutes } from '@/lib/accounts/security/session-routes';
import { settingsRoutes } from '@/lib/settings/api-routes';
import { setupRoutes } from '@/lib/accounts/sign-in/setup-routes';
import { workspaceRoutes } from '@/lib/workspaces/routes';

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
  ...jobLogRoutes,
];

let kernel: Kernel | undefined;

/** All of them behind one kernel. One per module copy, so that edits in development take effect. */
export function apiKernel(): Kernel {
  if (kernel) return kernel;
  registerCommands();
  kernel = createKernel(createRouter(apiRoutes), logRequest);
  return kernel;
}
