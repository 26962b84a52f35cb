import 'server-only';
import type { Area } from '@/lib/http/area';
import { workspaces } from './collection';
import { registerWorkspaceDeletes } from './delete-workspace';
import { registerWaitForImage } from './wait-for-image';
import { deployments } from './deployments';
import { doctorRoutes } from './doctor/routes';
import { domainRoutes } from './domain-routes';
import { registerFollowAddresses } from './follow-addresses';
import { registerLoginPermissions } from './keep-login-permissions';
import { workspaceLoginPermissions } from './login-permissions';
import { registerPortAddresses } from './port-addresses';
import { workspacePermissions } from './permissions';
import { workspaceFileRoutes } from './files/routes';
import { workspaceLogRoutes } from './log-routes';
import { workspaceRoutes } from './routes';
import { maintenanceRoutes } from './maintenance/routes';
import { workspaceMeasureRoutes } from './measures/routes';
import { terminalRoutes } from './terminals/routes';
import { timeRoutes } from './times/routes';
import { unknownWorkspaceRoutes } from './unknown-routes';

export const workspacesArea = {
  collections: [workspaces, workspacePermissions, deployments, workspaceLoginPermissions],
  routes: [
    ...workspaceRoutes,
    ...workspaceLogRoutes,
    ...terminalRoutes,
    ...workspaceFileRoutes,
    ...workspaceMeasureRoutes,
    ...domainRoutes,
    ...doctorRoutes,
    ...timeRoutes,
    ...maintenanceRoutes,
    ...unknownWorkspaceRoutes,
  ],
  start() {
    registerWorkspaceDeletes();
    registerWaitForImage();
    registerFollowAddresses();
    registerLoginPermissions();
    registerPortAddresses();
  },
} satisfies Area;
