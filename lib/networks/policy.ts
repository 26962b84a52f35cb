import { admin, anyGrant, anyOf, grant, owner, signedIn, type Policy } from '@/lib/policies/rules';

const visible = anyOf(admin, owner, anyGrant('networks'));
const modify = anyOf(admin, owner, grant('networks', 'modify'));
const remove = anyOf(admin, owner, grant('networks', 'delete'));

/** Creating also needs a right on the host, which is refused at that field. */
export const networksPolicy: Policy<'view' | 'attach' | 'modify' | 'delete' | 'share'> = {
  list: visible,
  view: visible,
  create: signedIn,
  update: modify,
  delete: remove,
  can: {
    view: visible,
    attach: anyOf(admin, owner, grant('networks', 'attach')),
    modify,
    delete: remove,
    share: anyOf(admin, owner),
  },
};
