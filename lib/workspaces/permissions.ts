import { workspacePermissionsTable } from '@/db/schema/workspaces';
import { permissionPolicy } from '@/lib/policies/permissions';
import { defineCollection } from '@/lib/records/collection';
import { bool } from '@/lib/records/fields/bool';
import { keepSubject, oncePerUser, resourceField, userField } from '@/lib/records/grants';

export const workspacePermissions = defineCollection({
  id: 'berthspacegrant',
  name: 'workspace_permissions',
  table: workspacePermissionsTable,
  fields: {
    user: userField(),
    workspace: resourceField('workspaces'),
    view: bool(),
    deploy: bool(),
    attach: bool(),
    modify: bool(),
    delete: bool(),
  },
  check: keepSubject('workspace'),
  unique: [oncePerUser('workspace')],
  relations: ['user', 'workspace'],
  search: ['user', 'workspace', 'view', 'deploy', 'attach', 'modify', 'delete'],
  policy: permissionPolicy('workspaces'),
  output: ['user', 'workspace', 'view', 'deploy', 'attach', 'modify', 'delete'],
});
