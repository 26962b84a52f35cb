import { imagePermissionsTable } from '@/db/schema/images';
import { permissionPolicy } from '@/lib/policies/permissions';
import { defineCollection } from '@/lib/records/collection';
import { searched } from '@/lib/records/fields/access';
import { bool } from '@/lib/records/fields/bool';
import { keepSubject, oncePerUser, resourceField, userField } from '@/lib/records/grants';

export const imagePermissions = defineCollection({
  id: 'berthimagegrant',
  name: 'image_permissions',
  table: imagePermissionsTable,
  fields: {
    user: searched(userField()),
    image: searched(resourceField('images')),
    view: searched(bool()),
    deploy: searched(bool()),
    build: searched(bool()),
    modify: searched(bool()),
    delete: searched(bool()),
  },
  check: keepSubject('image'),
  unique: [oncePerUser('image')],
  policy: permissionPolicy('images'),
});
