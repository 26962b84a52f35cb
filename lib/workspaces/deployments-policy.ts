import { nobody, through, type Policy } from '@/lib/policies/rules';
import { workspacesPolicy } from './policy';

const visible = through('workspace', 'workspaces', workspacesPolicy.view);

/** A deployment is seen by whoever sees its workspace, and written by the console alone. */
export const deploymentsPolicy: Policy<'view'> = {
  list: visible,
  view: visible,
  create: nobody,
  update: nobody,
  delete: nobody,
  can: { view: visible },
};
