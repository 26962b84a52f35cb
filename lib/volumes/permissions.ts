import { volumePermissionsTable } from '@/db/schema/volumes';
import { permissionPolicy } from '@/lib/policies/permissions';
import { defineCollection } from '@/lib/records/collection';
import { searched } from '@/lib/records/fields/access';
import { bool } from '@/lib/records/fields/bool';
import { checkHolder, holderFields, oncePerHolder, resourceField, setBy } from '@/lib/records/grants';

export const volumePermissions = defineCollection({
  id: 'berthvolumgrant',
  name: 'volume_permissions',
  table: volumePermissionsTable,
  fields: {
    ...holderFields(),
    volume: searched(resourceField('volumes')),
    attach: searched(bool()),
    modify: searched(bool()),
    delete: searched(bool()),
  },
  check: checkHolder('volume'),
  unique: oncePerHolder('volume'),
  hooks: setBy,
  policy: permissionPolicy('volumes'),
});
