import { workspacesTable } from '@/db/schema/workspaces';
import type { PortSpec } from '@/lib/protocol/specs/workspace';
import type { WriteTransaction } from '@/lib/records/transaction';
import { takenPortOf } from '@/lib/vocabulary/failure-words';
import { type IsolatedHost, isolationOf, refusedHostPort } from '@/lib/vocabulary/host-isolation';
import {
  expandPortMappings,
  leavesHostPortOpen,
  parsePortList,
  portCount,
  UNPRIVILEGED_PORTS,
} from '@/lib/vocabulary/ports';
import type { ObservedPort, PortMapping } from '@/lib/vocabulary/workspace';

/** Below what systems give to outgoing connections, and away from where services usually listen. */
const FIRST = 20_000;
const COUNT = 10_000;

type Binding = Pick<PortSpec, 'containerPort' | 'protocol'>;
const isSame = (one: Binding, other: Binding) =>
  one.containerPort === other.containerPort && one.protocol === other.protocol;

/** The deployed ports that a workspace may keep: all but the one that its host refused as taken. */
export function keptPorts(
  workspace: { status: string; statusMessage: string },
  deployed: { ports: PortSpec[] } | null | undefined,
): PortSpec[] {
  const taken = workspace.status === 'error' ? takenPortOf(workspace.statusMessage) : undefined;
  return (deployed?.ports ?? []).filter(({ hostPort }) => taken === undefined || (taken !== 0 && hostPort !== taken));
}

interface PickingWorkspace {
  id: string;
  host: string;
  observedPorts: ObservedPort[] | null;
}

/** Gives each port that is left open a host port of its own, so that it stays the same from one start to the next. */
export function pickOpenPorts(
  tx: WriteTransaction,
  ports: PortSpec[],
  {
    workspace,
    host,
    avoid,
  }: {
    workspace: PickingWorkspace;
    host: Pick<IsolatedHost, 'isolation'>;
    /** Host ports that a container of the workspace goes on with; none of what it has is taken over then. */
    avoid?: readonly number[] | undefined;
  },
): PortSpec[] {
  if (ports.every(({ hostPort }) => hostPort !== 0)) return ports;
  const has = workspace.observedPorts ?? [];
  const own = avoid ? [...avoid, ...has.map(({ hostPort }) => hostPort)] : [];
  const taken = new Set([...ports.map(({ hostPort }) => hostPort), ...portsOfOthers(tx, workspace), ...own]);
  return ports.map((port) => {
    if (port.hostPort !== 0) return port;
    const had = has.find((observed) => isSame(observed, port))?.hostPort ?? 0;
    const mayKeep = had !== 0 && !taken.has(had) && isAllowed(host, had);
    const hostPort = mayKeep ? had : freePort(taken, host);
    taken.add(hostPort);
    return { ...port, hostPort };
  });
}

function portsOfOthers(tx: WriteTransaction, { id, host }: PickingWorkspace): number[] {
  const workspaces = { name: 'workspaces', table: workspacesTable };
  return tx
    .findParts(workspaces, ['id', 'portMappings', 'observedPorts'], { host, template: false })
    .filter((other) => other.id !== id)
    .flatMap(({ portMappings, observedPorts }) => [
      ...expandPortMappings(portMappings ?? []).map(({ hostPort }) => hostPort),
      ...(observedPorts ?? []).map(({ hostPort }) => hostPort),
    ]);
}

function isAllowed(host: Pick<IsolatedHost, 'isolation'>, port: number): boolean {
  return refusedHostPort(host, { first: port, last: port }) === undefined;
}

/** 0, which has the engine choose, where there is none left. */
function freePort(taken: ReadonlySet<number>, host: Pick<IsolatedHost, 'isolation'>): number {
  const { hostPorts } = isolationOf(host);
  const usual = { first: FIRST, last: FIRST + COUNT - 1 };
  const ranges = [usual, ...(hostPorts === UNPRIVILEGED_PORTS ? [] : (parsePortList(hostPorts) ?? []))];
  for (const range of ranges) {
    const offset = Math.floor(Math.random() * portCount(range));
    for (let step = 0; step < portCount(range); step += 1) {
      const port = range.first + ((offset + step) % portCount(range));
      if (port !== 0 && !taken.has(port) && (hostPorts === UNPRIVILEGED_PORTS || isAllowed(host, port))) return port;
    }
  }
  return 0;
}

/** What a workspace's host picked for the mappings that leave it open, as mappings. */
export function pickedMappings(mappings: readonly PortMapping[], observed: readonly ObservedPort[]): PortMapping[] {
  const open = expandPortMappings(mappings.filter(leavesHostPortOpen));
  return observed
    .filter((port) => port.hostPort !== 0 && open.some((mapping) => isSame(mapping, port)))
    .map(({ containerPort, protocol, hostPort, hostIp }) => ({ containerPort, protocol, hostPort, hostIp }));
}
