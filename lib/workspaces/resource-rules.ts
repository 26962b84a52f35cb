import { AppError, type FieldProblem } from '@/lib/errors';
import type { HostRow } from '@/lib/hosts/collection';
import { networks } from '@/lib/networks/collection';
import type { StoreReader } from '@/lib/records/transaction';
import { volumes } from '@/lib/volumes/collection';
import type { WorkspaceRow } from './collection';

/** The first version of the agent's words in which containers get volumes and networks. */
const PROTOCOL_WITH_RESOURCES = 4;

type Asking = Pick<WorkspaceRow, 'volumes' | 'networks'>;

/** Throws `invalid` with what of a workspace's volumes and networks its host can't give: it is not run without them. */
export function requireResources(reader: StoreReader, { workspace, host }: { workspace: Asking; host: HostRow }): void {
  const { volumes: volumeIds, networks: networkIds } = workspace;
  const refused = {
    volumes: findProblem(
      host,
      'volume',
      volumeIds.map((id) => reader.get(volumes, id)),
    ),
    networks: findProblem(
      host,
      'network',
      networkIds.map((id) => reader.get(networks, id)),
    ),
  };
  const found = Object.entries(refused).filter((entry): entry is [string, FieldProblem] => entry[1] !== undefined);
  if (found.length === 0) return;
  const words = found.map(([, { message }]) => message).join(' ');
  throw new AppError('invalid', words, { fields: Object.fromEntries(found) });
}

interface Resource {
  name: string;
  host: string;
  status: string;
  statusMessage: string;
}

function findProblem(
  host: HostRow,
  kind: 'volume' | 'network',
  wanted: readonly (Resource | undefined)[],
): FieldProblem | undefined {
  if (wanted.length === 0) return undefined;
  if ((host.engine?.protocol ?? PROTOCOL_WITH_RESOURCES) < PROTOCOL_WITH_RESOURCES) {
    const message = `The agent on host ${host.name} is too old for ${kind}s: update it.`;
    return { code: 'validation_agent_too_old', message };
  }
  const elsewhere = wanted.find((each) => each && each.host !== host.id);
  if (elsewhere) {
    return { code: 'validation_wrong_host', message: `The ${kind} ${elsewhere.name} is on another host.` };
  }
  const broken = wanted.find((each) => each?.status === 'error');
  if (!broken) return undefined;
  return { code: 'validation_in_error', message: `The ${kind} ${broken.name} can't be used: ${broken.statusMessage}` };
}
