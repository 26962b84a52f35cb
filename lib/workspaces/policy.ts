import { admin, anyGrant, anyOf, grant, owner, signedIn, type Policy } from '@/lib/policies/rules';

const visible = anyOf(admin, owner, anyGrant('workspaces'));
const modify = anyOf(admin, owner, grant('workspaces', 'modify'));
const remove = anyOf(admin, owner, grant('workspaces', 'delete'));

/** Creating also needs rights on the host and on the image, which are refused at those fields. */
export const workspacesPolicy: Policy<'view' | 'deploy' | 'attach' | 'modify' | 'delete' | 'share'> = {
  list: visible,
  view: visible,
  create: signedIn,
  update: modify,
  delete: remove,
  can: {
    view: visible,
    deploy: anyOf(admin, owner, grant('workspaces', 'deploy')),
    attach: anyOf(admin, owner, grant('workspaces', 'attach')),
    modify,
    delete: remove,
    share: anyOf(admin, owner),
  },
};
