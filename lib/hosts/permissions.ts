import { hostPermissionsTable } from '@/db/schema/hosts';
import { permissionPolicy } from '@/lib/policies/permissions';
import { defineCollection } from '@/lib/records/collection';
import { bool } from '@/lib/records/fields/bool';
import { keepSubject, oncePerUser, resourceField, userField } from '@/lib/records/grants';

export const hostPermissions = defineCollection({
  id: 'berthhostgrants',
  name: 'host_permissions',
  table: hostPermissionsTable,
  fields: {
    user: userField(),
    host: resourceField('hosts'),
    view: bool(),
    canCreateImages: bool(),
    canCreateWorkspaces: bool(),
    canCreateBindMounts: bool(),
    canCreateNetworks: bool(),
    canCreateVolumeMounts: bool(),
  },
  check: keepSubject('host'),
  unique: [oncePerUser('host')],
  relations: ['user', 'host'],
  search: [
    'user',
    'host',
    'view',
    'canCreateImages',
    'canCreateWorkspaces',
    'canCreateBindMounts',
    'canCreateNetworks',
    'canCreateVolumeMounts',
  ],
  policy: permissionPolicy('hosts'),
  output: [
    'user',
    'host',
    'view',
    'canCreateImages',
    'canCreateWorkspaces',
    'canCreateBindMounts',
    'canCreateNetworks',
    'canCreateVolumeMounts',
  ],
});
