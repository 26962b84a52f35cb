import 'server-only';
import { workspacesTable } from '@/db/schema/workspaces';
import type { StoreReader } from '@/lib/records/transaction';
import type { HostResources } from '@/lib/vocabulary/host';

const UP = new Set(['deploying', 'starting', 'running', 'stopping']);

/** What a host told of its cards, with the workspaces that asked for each and are up. */
export function withHolders(reader: StoreReader, hostId: string, resources: HostResources): HostResources {
  if (resources.gpus.length === 0) return resources;
  const workspaces = { name: 'workspaces', table: workspacesTable };
  const holders = reader
    .findParts(workspaces, ['id', 'gpus', 'status'], { host: hostId, template: false })
    .filter(({ status }) => UP.has(status));
  const gpus = resources.gpus.map((gpu) => {
    const own = holders.filter(({ gpus: held }) => held && 'uuids' in held && held.uuids.includes(gpu.uuid));
    return { ...gpu, usedBy: [...new Set([...gpu.usedBy, ...own.map(({ id }) => id)])] };
  });
  return { ...resources, gpus };
}
