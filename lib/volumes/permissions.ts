import { volumePermissionsTable } from '@/db/schema/volumes';
import { permissionPolicy } from '@/lib/policies/permissions';
import { defineCollection } from '@/lib/records/collection';
import { bool } from '@/lib/records/fields/bool';
import { keepSubject, oncePerUser, resourceField, userField } from '@/lib/records/grants';

export const volumePermissions = defineCollection({
  id: 'berthvolumgrant',
  name: 'volume_permissions',
  table: volumePermissionsTable,
  fields: {
    user: userField(),
    volume: resourceField('volumes'),
    attach: bool(),
    modify: bool(),
    delete: bool(),
  },
  check: keepSubject('volume'),
  unique: [oncePerUser('volume')],
  relations: ['user', 'volume'],
  search: ['user', 'volume', 'attach', 'modify', 'delete'],
  policy: permissionPolicy('volumes'),
  output: ['user', 'volume', 'attach', 'modify', 'delete'],
});
