import { admin, signedIn, type Policy } from './vocabulary';

/** Everyone signed in reads them, admins change them. */
export const recommendationsPolicy: Policy<'view' | 'modify' | 'delete'> = {
  list: signedIn,
  view: signedIn,
  create: admin,
  update: admin,
  delete: admin,
  can: { view: signedIn, modify: admin, delete: admin },
};
