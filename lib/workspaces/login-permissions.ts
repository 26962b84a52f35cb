import { workspaceLoginPermissionsTable } from '@/db/schema/workspaces';
import { permissionPolicy } from '@/lib/policies/permissions';
import { defineCollection } from '@/lib/records/collection';
import { searched } from '@/lib/records/fields/access';
import { text } from '@/lib/records/fields/text';
import { checkHolder, holderFields, oncePerHolder, resourceField, setBy } from '@/lib/records/grants';

/** Who may open an address of a workspace that asks for a sign-in. */
export const workspaceLoginPermissions = defineCollection({
  id: 'berthlogingrant',
  name: 'workspace_login_permissions',
  table: workspaceLoginPermissionsTable,
  fields: {
    ...holderFields(),
    workspace: searched(resourceField('workspaces')),
    url: searched(text({ required: true, max: 500 })),
  },
  check: checkHolder('workspace'),
  unique: oncePerHolder('workspace', 'url'),
  hooks: setBy,
  policy: permissionPolicy('workspaces'),
});
