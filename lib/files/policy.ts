import { admin, anyGrant, anyOf, grant, owner, signedIn, type Policy } from '@/lib/policies/rules';

const visible = anyOf(admin, owner, anyGrant('files'));
const modify = anyOf(admin, owner, grant('files', 'modify'));
const remove = anyOf(admin, owner, grant('files', 'delete'));

/** Whoever sees a file may put it into an image. */
export const filesPolicy: Policy<'view' | 'modify' | 'delete' | 'share'> = {
  list: visible,
  view: visible,
  create: signedIn,
  update: modify,
  delete: remove,
  can: { view: visible, modify, delete: remove, share: anyOf(admin, owner) },
};
