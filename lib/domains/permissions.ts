import { domainPermissionsTable } from '@/db/schema/domains';
import { permissionPolicy } from '@/lib/policies/permissions';
import { defineCollection } from '@/lib/records/collection';
import { searched } from '@/lib/records/fields/access';
import { bool } from '@/lib/records/fields/bool';
import { checkHolder, holderFields, oncePerHolder, resourceField, setBy } from '@/lib/records/grants';

export const domainPermissions = defineCollection({
  id: 'berthdomaigrant',
  name: 'domain_permissions',
  table: domainPermissionsTable,
  fields: {
    ...holderFields(),
    domain: searched(resourceField('domains')),
    deploy: searched(bool()),
    modify: searched(bool()),
    delete: searched(bool()),
  },
  check: checkHolder('domain'),
  unique: oncePerHolder('domain'),
  hooks: setBy,
  policy: permissionPolicy('domains'),
});
