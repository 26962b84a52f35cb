import { filePermissionsTable } from '@/db/schema/files';
import { permissionPolicy } from '@/lib/policies/permissions';
import { defineCollection } from '@/lib/records/collection';
import { searched } from '@/lib/records/fields/access';
import { bool } from '@/lib/records/fields/bool';
import { keepSubject, oncePerUser, resourceField, userField } from '@/lib/records/grants';

export const filePermissions = defineCollection({
  id: 'berthfilesgrant',
  name: 'file_permissions',
  table: filePermissionsTable,
  fields: {
    user: searched(userField()),
    file: searched(resourceField('files')),
    view: searched(bool()),
    modify: searched(bool()),
    delete: searched(bool()),
  },
  check: keepSubject('file'),
  unique: [oncePerUser('file')],
  policy: permissionPolicy('files'),
});
