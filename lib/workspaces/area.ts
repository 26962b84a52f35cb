import 'server-only';
import type { Area } from '@/lib/http/area';
import { workspaces } from './collection';
import { registerWorkspaceDeletes } from './delete-workspace';
import { registerWaitForImage } from './wait-for-image';
import { deployments } from './deployments';
import { workspaceLoginPermissions } from './login-permissions';
import { workspacePermissions } from './permissions';
import { workspaceRoutes } from './routes';
import { unknownWorkspaceRoutes } from './unknown-routes';

export const workspacesArea = {
  collections: [workspaces, workspacePermissions, deployments, workspaceLoginPermissions],
  routes: [...workspaceRoutes, ...unknownWorkspaceRoutes],
  start() {
    registerWorkspaceDeletes();
    registerWaitForImage();
  },
} satisfies Area;
