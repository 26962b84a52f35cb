import { domainPermissionsTable } from '@/db/schema/domains';
import { permissionPolicy } from '@/lib/policies/permissions';
import { defineCollection } from '@/lib/records/collection';
import { bool } from '@/lib/records/fields/bool';
import { keepSubject, oncePerUser, resourceField, userField } from '@/lib/records/grants';

export const domainPermissions = defineCollection({
  id: 'berthdomaigrant',
  name: 'domain_permissions',
  table: domainPermissionsTable,
  fields: {
    user: userField(),
    domain: resourceField('domains'),
    deploy: bool(),
    modify: bool(),
    delete: bool(),
  },
  check: keepSubject('domain'),
  unique: [oncePerUser('domain')],
  relations: ['user', 'domain'],
  search: ['user', 'domain', 'deploy', 'modify', 'delete'],
  policy: permissionPolicy('domains'),
  output: ['user', 'domain', 'deploy', 'modify', 'delete'],
});
