import { workspacePermissionsTable } from '@/db/schema/workspaces';

export const workspacePermissions = { name: 'workspace_permissions', table: workspacePermissionsTable };
