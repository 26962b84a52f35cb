import { admin, anyGrant, anyOf, grant, owner, signedIn, type Policy } from '@/lib/policies/rules';

const visible = anyOf(admin, owner, anyGrant('volumes'));
const modify = anyOf(admin, owner, grant('volumes', 'modify'));
const remove = anyOf(admin, owner, grant('volumes', 'delete'));

/** Creating also needs a right on the host, which is refused at that field. */
export const volumesPolicy: Policy<'view' | 'attach' | 'modify' | 'delete' | 'share'> = {
  list: visible,
  view: visible,
  create: signedIn,
  update: modify,
  delete: remove,
  can: {
    view: visible,
    attach: anyOf(admin, owner, grant('volumes', 'attach')),
    modify,
    delete: remove,
    share: anyOf(admin, owner),
  },
};
