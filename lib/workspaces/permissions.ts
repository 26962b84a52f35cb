import { workspacePermissionsTable } from '@/db/schema/workspaces';
import { permissionPolicy } from '@/lib/policies/permissions';
import { defineCollection } from '@/lib/records/collection';
import { searched } from '@/lib/records/fields/access';
import { bool } from '@/lib/records/fields/bool';
import { keepSubject, oncePerUser, resourceField, userField } from '@/lib/records/grants';

export const workspacePermissions = defineCollection({
  id: 'berthspacegrant',
  name: 'workspace_permissions',
  table: workspacePermissionsTable,
  fields: {
    user: searched(userField()),
    workspace: searched(resourceField('workspaces')),
    view: searched(bool()),
    deploy: searched(bool()),
    attach: searched(bool()),
    modify: searched(bool()),
    delete: searched(bool()),
  },
  check: keepSubject('workspace'),
  unique: [oncePerUser('workspace')],
  policy: permissionPolicy('workspaces'),
});
