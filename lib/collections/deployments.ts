import { deploymentsTable } from '@/db/schema/workspaces';

export const deployments = { name: 'deployments', table: deploymentsTable };
