import { filePermissionsTable } from '@/db/schema/files';
import { permissionPolicy } from '@/lib/policies/permissions';
import { defineCollection } from '@/lib/records/collection';
import { searched } from '@/lib/records/fields/access';
import { bool } from '@/lib/records/fields/bool';
import { checkHolder, holderFields, oncePerHolder, resourceField, setBy } from '@/lib/records/grants';

export const filePermissions = defineCollection({
  id: 'berthfilesgrant',
  name: 'file_permissions',
  table: filePermissionsTable,
  fields: {
    ...holderFields(),
    file: searched(resourceField('files')),
    view: searched(bool()),
    modify: searched(bool()),
    delete: searched(bool()),
  },
  check: checkHolder('file'),
  unique: oncePerHolder('file'),
  hooks: setBy,
  policy: permissionPolicy('files'),
});
