import { imagePermissionsTable } from '@/db/schema/images';
import { permissionPolicy } from '@/lib/policies/permissions';
import { defineCollection } from '@/lib/records/collection';
import { searched } from '@/lib/records/fields/access';
import { bool } from '@/lib/records/fields/bool';
import { checkHolder, holderFields, oncePerHolder, resourceField, setBy } from '@/lib/records/grants';

export const imagePermissions = defineCollection({
  id: 'berthimagegrant',
  name: 'image_permissions',
  table: imagePermissionsTable,
  fields: {
    ...holderFields(),
    image: searched(resourceField('images')),
    view: searched(bool()),
    deploy: searched(bool()),
    build: searched(bool()),
    modify: searched(bool()),
    delete: searched(bool()),
  },
  check: checkHolder('image'),
  unique: oncePerHolder('image'),
  hooks: setBy,
  policy: permissionPolicy('images'),
});
