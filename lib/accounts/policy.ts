import { admin, anyOf, self, signedIn, type Policy } from '@/lib/policies/rules';

/** Everyone signed in sees who there is, so that permissions can be given; accounts are made and removed by admins. */
export const usersPolicy: Policy<'view' | 'modify' | 'delete' | 'manage'> = {
  list: signedIn,
  view: signedIn,
  create: admin,
  update: anyOf(admin, self('id')),
  delete: admin,
  can: { view: signedIn, modify: anyOf(admin, self('id')), delete: admin, manage: admin },
};
