import { admin, type Policy } from '@/lib/policies/rules';

export const settingsPolicy: Policy<'view' | 'modify' | 'delete'> = {
  list: admin,
  view: admin,
  create: admin,
  update: admin,
  delete: admin,
  can: { view: admin, modify: admin, delete: admin },
};
