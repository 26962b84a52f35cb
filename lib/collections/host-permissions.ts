import { hostPermissionsTable } from '@/db/schema/hosts';

export const hostPermissions = { name: 'host_permissions', table: hostPermissionsTable };
