import { imagePermissionsTable } from '@/db/schema/images';

export const imagePermissions = { name: 'image_permissions', table: imagePermissionsTable };
