import { volumePermissionsTable } from '@/db/schema/volumes';
import { permissionPolicy } from '@/lib/policies/permissions';
import { defineCollection } from '@/lib/records/collection';
import { searched } from '@/lib/records/fields/access';
import { bool } from '@/lib/records/fields/bool';
import { keepSubject, oncePerUser, resourceField, userField } from '@/lib/records/grants';

export const volumePermissions = defineCollection({
  id: 'berthvolumgrant',
  name: 'volume_permissions',
  table: volumePermissionsTable,
  fields: {
    user: searched(userField()),
    volume: searched(resourceField('volumes')),
    attach: searched(bool()),
    modify: searched(bool()),
    delete: searched(bool()),
  },
  check: keepSubject('volume'),
  unique: [oncePerUser('volume')],
  policy: permissionPolicy('volumes'),
});
