import { admin, signedIn, type Policy } from '@/lib/policies/rules';

/** Everyone signed in reads them, admins change them. */
export const recommendationsPolicy: Policy<'view' | 'modify' | 'delete'> = {
  list: signedIn,
  view: signedIn,
  create: admin,
  update: admin,
  delete: admin,
  can: { view: signedIn, modify: admin, delete: admin },
};
