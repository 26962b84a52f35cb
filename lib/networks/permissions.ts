import { networkPermissionsTable } from '@/db/schema/networks';
import { permissionPolicy } from '@/lib/policies/permissions';
import { defineCollection } from '@/lib/records/collection';
import { searched } from '@/lib/records/fields/access';
import { bool } from '@/lib/records/fields/bool';
import { checkHolder, holderFields, oncePerHolder, resourceField, setBy } from '@/lib/records/grants';

export const networkPermissions = defineCollection({
  id: 'berthnetwogrant',
  name: 'network_permissions',
  table: networkPermissionsTable,
  fields: {
    ...holderFields(),
    network: searched(resourceField('networks')),
    attach: searched(bool()),
    modify: searched(bool()),
    delete: searched(bool()),
  },
  check: checkHolder('network'),
  unique: oncePerHolder('network'),
  hooks: setBy,
  policy: permissionPolicy('networks'),
});
