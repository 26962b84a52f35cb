import { admin, nobody, type Policy } from '@/lib/policies/rules';

/** The audit log is read by admins, and written by the console alone: nobody can change what it says. */
export const auditPolicy: Policy<'view'> = {
  list: admin,
  view: admin,
  create: nobody,
  update: nobody,
  delete: nobody,
  can: { view: admin },
};
