import { admin, anyOf, grantTables, member, owner, self, through, type GrantedResource, type Policy } from './rules';

/** Permission records: read by whom they name and by the members of a group that they name, given and taken by the resource's owner and by admins. */
export function permissionPolicy(resource: GrantedResource): Policy<'view' | 'modify' | 'delete'> {
  const giver = anyOf(admin, through(grantTables[resource].field, resource, owner));
  const visible = anyOf(giver, self('user'), member('group'));
  return {
    list: visible,
    view: visible,
    create: giver,
    update: giver,
    delete: giver,
    can: { view: visible, modify: giver, delete: giver },
  };
}
