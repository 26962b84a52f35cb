import { admin, anyOf, member, nobody, self, signedIn, type Policy } from '@/lib/policies/rules';

/** Everyone logged in sees which groups there are, so that permissions can be given to them; admins keep them. */
export const groupsPolicy: Policy<'view' | 'modify' | 'delete'> = {
  list: signedIn,
  view: signedIn,
  create: admin,
  update: admin,
  delete: admin,
  can: { view: signedIn, modify: admin, delete: admin },
};

const seen = anyOf(admin, self('user'), member('group'));

/** Who is in a group is for its members and for admins. A membership is made and taken away, and never turned into another. */
export const groupMembersPolicy: Policy<'view' | 'delete'> = {
  list: seen,
  view: seen,
  create: admin,
  update: nobody,
  delete: admin,
  can: { view: seen, delete: admin },
};
