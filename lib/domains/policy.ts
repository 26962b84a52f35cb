import { admin, anyGrant, anyOf, grant, owner, type Policy } from '@/lib/policies/rules';

const visible = anyOf(admin, owner, anyGrant('domains'));
const modify = anyOf(admin, owner, grant('domains', 'modify'));
/** Whoever gives addresses under it, or sees to its records. */
const diagnose = anyOf(admin, owner, grant('domains', 'modify'), grant('domains', 'deploy'));
const remove = anyOf(admin, owner, grant('domains', 'delete'));

/** Admins alone make domains; whom they let use one deploys workspaces under it. */
export const domainsPolicy: Policy<'view' | 'deploy' | 'modify' | 'delete' | 'share' | 'diagnose'> = {
  list: visible,
  view: visible,
  create: admin,
  update: modify,
  delete: remove,
  can: {
    view: visible,
    deploy: anyOf(admin, owner, grant('domains', 'deploy')),
    modify,
    delete: remove,
    share: anyOf(admin, owner),
    diagnose,
  },
};
