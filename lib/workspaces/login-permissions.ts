import { workspaceLoginPermissionsTable } from '@/db/schema/workspaces';
import { permissionPolicy } from '@/lib/policies/permissions';
import { defineCollection } from '@/lib/records/collection';
import { searched } from '@/lib/records/fields/access';
import { text } from '@/lib/records/fields/text';
import { keepSubject, resourceField, userField } from '@/lib/records/grants';

/** Who may open an address of a workspace that asks for a sign-in. */
export const workspaceLoginPermissions = defineCollection({
  id: 'berthlogingrant',
  name: 'workspace_login_permissions',
  table: workspaceLoginPermissionsTable,
  fields: {
    user: searched(userField()),
    workspace: searched(resourceField('workspaces')),
    url: searched(text({ required: true, max: 500 })),
  },
  check: keepSubject('workspace'),
  unique: [
    { fields: ['user', 'workspace', 'url'], message: 'Selected user already has permission to this workspace.' },
  ],
  policy: permissionPolicy('workspaces'),
});
