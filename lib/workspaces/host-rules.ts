import type { HostRow } from '@/lib/hosts/collection';
import { AppError, type FieldProblem, type FieldProblems, GENERIC_MESSAGE, isProblem } from '@/lib/errors';
import { allowsRuntime, refusedHostPort } from '@/lib/vocabulary/host-isolation';
import { hostPortsOf } from '@/lib/vocabulary/ports';
import type { GpuRequest, HealthCheck, PortMapping } from '@/lib/vocabulary/workspace';
import { addressProblem } from './address-checks';
import type { WorkspaceRow } from './collection';

/** Why the host doesn't run workspaces with the runtime; undefined when it does, or has not said which it has. */
export function runtimeProblem(host: HostRow, runtime: string): FieldProblem | undefined {
  if (!allowsRuntime(host, runtime)) {
    return { code: 'validation_runtime_not_allowed', message: `This runtime is not allowed on ${host.name}.` };
  }
  const offered = host.engine?.runtimes ?? [];
  if (runtime === '' || offered.length === 0 || offered.includes(runtime)) return undefined;
  return { code: 'validation_runtime_unknown', message: `There is no runtime ${runtime} on ${host.name}.` };
}

/** Why the host can't give the cards; undefined when it can, or has not said which it has. */
export function gpuProblem(host: HostRow, gpus: GpuRequest): FieldProblem | undefined {
  const cards = host.resources?.gpus;
  if (!gpus || !cards) return undefined;
  if ('uuids' in gpus) {
    const unknown = gpus.uuids.find((wanted) => !cards.some(({ uuid }) => uuid === wanted));
    if (unknown === undefined) return undefined;
    return { code: 'validation_unknown_gpu', message: `There is no GPU ${unknown} on ${host.name}.` };
  }
  // An agent without the driver's tools sees no cards, though the engine may have some.
  if (cards.length === 0 || gpus.count <= cards.length) return undefined;
  const has = cards.length === 1 ? 'is only 1 GPU' : `are only ${cards.length} GPUs`;
  return { code: 'validation_too_many_gpus', message: `There ${has} on ${host.name}.` };
}

const HEALTH_PROTOCOL = 4;

/** An agent of an earlier protocol would run the container without its check. */
function healthProblem(host: HostRow, check: HealthCheck): FieldProblem | undefined {
  const spoken = host.engine?.protocol;
  if (!check?.command || spoken === undefined || spoken >= HEALTH_PROTOCOL) return undefined;
  const message = `The agent on host ${host.name} is too old for health checks: update it.`;
  return { code: 'validation_agent_too_old', message };
}

/** Why the host doesn't let workspaces publish the mapping's ports; undefined when it does. */
export function hostPortProblem(host: HostRow, mapping: PortMapping): FieldProblems | undefined {
  const wanted = hostPortsOf(mapping);
  const port = wanted && refusedHostPort(host, wanted);
  if (port === undefined) return undefined;
  const message = `Host port ${port} may not be published on ${host.name}.`;
  return { hostPort: { code: 'validation_port_not_allowed', message } };
}

type Asking = Pick<WorkspaceRow, 'runtime' | 'gpus' | 'healthCheck' | 'portMappings' | 'externalUrls'>;

/** What of a stored workspace its host doesn't allow, or no longer does. */
function problemsAt(host: HostRow, { runtime, gpus, healthCheck, portMappings, externalUrls }: Asking): FieldProblems {
  const ports: FieldProblems = {};
  for (const [index, mapping] of (portMappings ?? []).entries()) {
    const problem = hostPortProblem(host, mapping);
    if (problem) ports[index] = problem;
  }
  const single = {
    runtime: runtimeProblem(host, runtime),
    gpus: gpuProblem(host, gpus),
    healthCheck: healthProblem(host, healthCheck),
    externalUrls: addressProblem(host, externalUrls),
  };
  return {
    ...(Object.fromEntries(Object.entries(single).filter(([, problem]) => problem)) as FieldProblems),
    ...(Object.keys(ports).length > 0 && { portMappings: ports }),
  };
}

/** Before a deploy: an admin may have changed what the host allows. Throws AppError `invalid` with the fields. */
export function requireAllowedByHost(host: HostRow, workspace: Asking): void {
  const fields = problemsAt(host, workspace);
  if (Object.keys(fields).length === 0) return;
  const words = Object.values(fields).filter(isProblem);
  throw new AppError('invalid', words.map(({ message }) => message).join(' ') || GENERIC_MESSAGE, { fields });
}

/** In words, where nobody waits for an answer with fields; empty when all is allowed. */
export function hostRefusal(host: HostRow, workspace: Asking): string {
  const problems = problemsAt(host, workspace);
  const words = Object.values(problems).find(isProblem);
  if (words) return words.message;
  return problems.portMappings ? `A host port of this workspace may not be published on ${host.name}.` : '';
}
