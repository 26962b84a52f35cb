import { admin, nobody, type Policy } from '@/lib/policies/rules';

/** Request logs: written by the console alone, read by admins. */
export const logsPolicy: Policy<'view'> = {
  list: admin,
  view: admin,
  create: nobody,
  update: nobody,
  delete: nobody,
  can: { view: admin },
};
