import { hostPermissionsTable } from '@/db/schema/hosts';
import { permissionPolicy } from '@/lib/policies/permissions';
import { defineCollection } from '@/lib/records/collection';
import { searched } from '@/lib/records/fields/access';
import { bool } from '@/lib/records/fields/bool';
import { checkHolder, holderFields, oncePerHolder, resourceField, setBy } from '@/lib/records/grants';

export const hostPermissions = defineCollection({
  id: 'berthhostgrants',
  name: 'host_permissions',
  table: hostPermissionsTable,
  fields: {
    ...holderFields(),
    host: searched(resourceField('hosts')),
    view: searched(bool()),
    canCreateImages: searched(bool()),
    canCreateWorkspaces: searched(bool()),
    canCreateBindMounts: searched(bool()),
    canCreateNetworks: searched(bool()),
    canCreateVolumeMounts: searched(bool()),
  },
  check: checkHolder('host'),
  unique: oncePerHolder('host'),
  hooks: setBy,
  policy: permissionPolicy('hosts'),
});
