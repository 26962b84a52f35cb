import { domainPermissionsTable } from '@/db/schema/domains';
import { permissionPolicy } from '@/lib/policies/permissions';
import { defineCollection } from '@/lib/records/collection';
import { searched } from '@/lib/records/fields/access';
import { bool } from '@/lib/records/fields/bool';
import { keepSubject, oncePerUser, resourceField, userField } from '@/lib/records/grants';

export const domainPermissions = defineCollection({
  id: 'berthdomaigrant',
  name: 'domain_permissions',
  table: domainPermissionsTable,
  fields: {
    user: searched(userField()),
    domain: searched(resourceField('domains')),
    deploy: searched(bool()),
    modify: searched(bool()),
    delete: searched(bool()),
  },
  check: keepSubject('domain'),
  unique: [oncePerUser('domain')],
  policy: permissionPolicy('domains'),
});
