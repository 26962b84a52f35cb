import { admin, anyOf, grantTables, owner, self, through, type GrantedResource, type Policy } from './rules';

/** Permission records: read by whom they name, given and taken by the resource's owner and by admins. */
export function permissionPolicy(resource: GrantedResource): Policy<'view' | 'modify' | 'delete'> {
  const giver = anyOf(admin, through(grantTables[resource].field, resource, owner));
  const visible = anyOf(giver, self('user'));
  return {
    list: visible,
    view: visible,
    create: giver,
    update: giver,
    delete: giver,
    can: { view: visible, modify: giver, delete: giver },
  };
}
