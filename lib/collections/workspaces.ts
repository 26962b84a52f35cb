import { workspacesTable } from '@/db/schema/workspaces';

export const workspaces = { name: 'workspaces', table: workspacesTable };
