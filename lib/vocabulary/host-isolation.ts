import type { HostIsolation } from './host';
import { hostIsolationSchema } from './host-schemas';
import { parsePortList, type PortRange } from './ports';

export interface IsolatedHost {
  default_runtime: string;
  default_gpu_runtime: string;
  isolation: HostIsolation | null;
}

/** Of a host whose admin changed nothing. */
export const USUAL_ISOLATION: HostIsolation = hostIsolationSchema.parse({});

export function isolationOf({ isolation }: Pick<IsolatedHost, 'isolation'>): HostIsolation {
  // What an older console stored says nothing of what is new.
  return { ...USUAL_ISOLATION, ...isolation };
}

/** Whether a workspace of the host may ask for the runtime; an empty one takes the host's. */
export function allowsRuntime(host: IsolatedHost, runtime: string): boolean {
  const { runtimes } = isolationOf(host);
  return ['', host.default_runtime, host.default_gpu_runtime, ...runtimes].includes(runtime);
}

/** The first port that the host doesn't let workspaces publish; undefined when all may be. */
export function refusedHostPort(host: Pick<IsolatedHost, 'isolation'>, wanted: PortRange): number | undefined {
  const allowed = parsePortList(isolationOf(host).hostPorts) ?? [];
  let port = wanted.first;
  for (const { first, last } of allowed.toSorted((a, b) => a.first - b.first)) {
    if (first <= port && port <= last) port = last + 1;
  }
  return port <= wanted.last ? port : undefined;
}
