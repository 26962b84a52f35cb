import { workspacePermissionsTable } from '@/db/schema/workspaces';
import { permissionPolicy } from '@/lib/policies/permissions';
import { defineCollection } from '@/lib/records/collection';
import { searched } from '@/lib/records/fields/access';
import { bool } from '@/lib/records/fields/bool';
import { checkHolder, holderFields, oncePerHolder, resourceField, setBy } from '@/lib/records/grants';

export const workspacePermissions = defineCollection({
  id: 'berthspacegrant',
  name: 'workspace_permissions',
  table: workspacePermissionsTable,
  fields: {
    ...holderFields(),
    workspace: searched(resourceField('workspaces')),
    view: searched(bool()),
    deploy: searched(bool()),
    attach: searched(bool()),
    modify: searched(bool()),
    delete: searched(bool()),
  },
  check: checkHolder('workspace'),
  unique: oncePerHolder('workspace'),
  hooks: setBy,
  policy: permissionPolicy('workspaces'),
});
