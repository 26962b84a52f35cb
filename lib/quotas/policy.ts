import { admin, type Policy } from '@/lib/policies/rules';

/** Quotas are for admins alone. What bounds a person, and what of it they use, is told by `GET /api/quota`. */
export const quotasPolicy: Policy<'view' | 'modify' | 'delete'> = {
  list: admin,
  view: admin,
  create: admin,
  update: admin,
  delete: admin,
  can: { view: admin, modify: admin, delete: admin },
};
