import { filePermissionsTable } from '@/db/schema/files';
import { permissionPolicy } from '@/lib/policies/permissions';
import { defineCollection } from '@/lib/records/collection';
import { bool } from '@/lib/records/fields/bool';
import { keepSubject, oncePerUser, resourceField, userField } from '@/lib/records/grants';

export const filePermissions = defineCollection({
  id: 'berthfilesgrant',
  name: 'file_permissions',
  table: filePermissionsTable,
  fields: {
    user: userField(),
    file: resourceField('files'),
    view: bool(),
    modify: bool(),
    delete: bool(),
  },
  check: keepSubject('file'),
  unique: [oncePerUser('file')],
  relations: ['user', 'file'],
  search: ['user', 'file', 'view', 'modify', 'delete'],
  policy: permissionPolicy('files'),
  output: ['user', 'file', 'view', 'modify', 'delete'],
});
