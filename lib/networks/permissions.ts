import { networkPermissionsTable } from '@/db/schema/networks';
import { permissionPolicy } from '@/lib/policies/permissions';
import { defineCollection } from '@/lib/records/collection';
import { bool } from '@/lib/records/fields/bool';
import { keepSubject, oncePerUser, resourceField, userField } from '@/lib/records/grants';

export const networkPermissions = defineCollection({
  id: 'berthnetwogrant',
  name: 'network_permissions',
  table: networkPermissionsTable,
  fields: {
    user: userField(),
    network: resourceField('networks'),
    attach: bool(),
    modify: bool(),
    delete: bool(),
  },
  check: keepSubject('network'),
  unique: [oncePerUser('network')],
  relations: ['user', 'network'],
  search: ['user', 'network', 'attach', 'modify', 'delete'],
  policy: permissionPolicy('networks'),
  output: ['user', 'network', 'attach', 'modify', 'delete'],
});
