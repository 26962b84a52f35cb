import { hostPermissionsTable } from '@/db/schema/hosts';
import { permissionPolicy } from '@/lib/policies/permissions';
import { defineCollection } from '@/lib/records/collection';
import { searched } from '@/lib/records/fields/access';
import { bool } from '@/lib/records/fields/bool';
import { keepSubject, oncePerUser, resourceField, userField } from '@/lib/records/grants';

export const hostPermissions = defineCollection({
  id: 'berthhostgrants',
  name: 'host_permissions',
  table: hostPermissionsTable,
  fields: {
    user: searched(userField()),
    host: searched(resourceField('hosts')),
    view: searched(bool()),
    canCreateImages: searched(bool()),
    canCreateWorkspaces: searched(bool()),
    canCreateBindMounts: searched(bool()),
    canCreateNetworks: searched(bool()),
    canCreateVolumeMounts: searched(bool()),
  },
  check: keepSubject('host'),
  unique: [oncePerUser('host')],
  policy: permissionPolicy('hosts'),
});
