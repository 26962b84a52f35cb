import { domains } from '@/lib/domains/collection';
import { write } from '@/lib/records/transaction';
import { workspaces } from '@/lib/workspaces/collection';
import type { Prepared, World } from './prepared-calls';

/** Looks at addresses, at names that need no DNS. */
export const doctorCalls: Record<string, (world: World) => Promise<Prepared>> = {
  'GET /api/domain/:id/doctor': async ({ ada: as }) => {
    const { id } = await write((tx) => tx.insert(domains, { url: 'doctor.localhost' }));
    return { as, params: { id } };
  },
  'GET /api/workspace/:id/doctor/:name': async ({ ada: as, workspaceId: id }) => {
    const domain = await write((tx) => tx.insert(domains, { url: 'app.localhost' }));
    const at = {
      scheme: 'http',
      subdomain: '',
      domain: domain.id,
      port: 80,
      authentication: 'none',
      users: [],
    } as const;
    await write((tx) => tx.patch(workspaces, id, { externalUrls: [{ ...at, users: [] }] }));
    return { as, params: { id, name: domain.url } };
  },
};
