import { imagePermissionsTable } from '@/db/schema/images';
import { permissionPolicy } from '@/lib/policies/permissions';
import { defineCollection } from '@/lib/records/collection';
import { bool } from '@/lib/records/fields/bool';
import { keepSubject, oncePerUser, resourceField, userField } from '@/lib/records/grants';

export const imagePermissions = defineCollection({
  id: 'berthimagegrant',
  name: 'image_permissions',
  table: imagePermissionsTable,
  fields: {
    user: userField(),
    image: resourceField('images'),
    view: bool(),
    deploy: bool(),
    build: bool(),
    modify: bool(),
    delete: bool(),
  },
  check: keepSubject('image'),
  unique: [oncePerUser('image')],
  relations: ['user', 'image'],
  search: ['user', 'image', 'view', 'deploy', 'build', 'modify', 'delete'],
  policy: permissionPolicy('images'),
  output: ['user', 'image', 'view', 'deploy', 'build', 'modify', 'delete'],
});
