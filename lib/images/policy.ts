import { admin, anyGrant, anyOf, grant, owner, signedIn, type Policy } from '@/lib/policies/rules';

const visible = anyOf(admin, owner, anyGrant('images'));
const modify = anyOf(admin, owner, grant('images', 'modify'));
const remove = anyOf(admin, owner, grant('images', 'delete'));

/** Creating also needs `canCreateImages` on the build host, which is refused at that field. */
export const imagesPolicy: Policy<'view' | 'deploy' | 'build' | 'modify' | 'delete' | 'share'> = {
  list: visible,
  view: visible,
  create: signedIn,
  update: modify,
  delete: remove,
  can: {
    view: visible,
    deploy: anyOf(admin, owner, grant('images', 'deploy')),
    build: anyOf(admin, owner, grant('images', 'build')),
    modify,
    delete: remove,
    share: anyOf(admin, owner),
  },
};
