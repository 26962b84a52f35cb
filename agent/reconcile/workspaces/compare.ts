import { createHash } from 'node:crypto';
import type { WorkspaceSpec } from '../../../lib/protocol/specs/workspace';
import type { ContainerLimits, ObservedContainer } from '../../engines/engine';

/** How a difference in a field of the spec is put right. */
export type FieldRule =
  | { how: 'recreate' }
  /** Changed on the running container; see `compareLimits`. */
  | { how: 'in-place' }
  /** A container of an earlier generation is made anew. */
  | { how: 'by-generation' }
  | { how: 'not-compared'; reason: string };

/** Fields of a workspace's spec that are not put right by a new container, as all others are. */
const exceptions: { readonly [Field in keyof WorkspaceSpec]?: FieldRule } = {
  name: { how: 'not-compared', reason: 'a container keeps the name that it was made with; a rename restarts nothing' },
  generation: { how: 'not-compared', reason: 'an equal container is adopted under the new generation' },
  attempt: { how: 'not-compared', reason: 'it only clears what is remembered of failures' },
  state: { how: 'not-compared', reason: 'the plan starts or stops what is there' },
  cpuLimit: { how: 'in-place' },
  memoryLimitBytes: { how: 'in-place' },
  autoStart: { how: 'in-place' },
  pullTimeoutMs: { how: 'not-compared', reason: 'it says how to fetch the image, not what runs' },
  isolation: {
    how: 'not-compared',
    reason: 'it counts from the next container on; a rule of the host restarts nothing',
  },
  order: { how: 'not-compared', reason: 'it says how one container takes the place of another, not what runs' },
  remake: { how: 'by-generation' },
  routes: { how: 'not-compared', reason: 'a file beside the container has them; see `hashedRoutes` for labels' },
  routedBy: { how: 'not-compared', reason: 'it says where the routes are' },
  aliases: { how: 'not-compared', reason: 'they follow the name, and a rename restarts nothing' },
};

export function ruleOf(field: keyof WorkspaceSpec): FieldRule {
  return exceptions[field] ?? { how: 'recreate' };
}

const HASH_CHARS = 32;

/**
 * Fingerprint of what a container is made from; it goes on the container as a label. What a spec does not ask for takes no
 * part, so that a field that is new in the protocol makes no container anew where nobody uses it.
 */
export function hashSpec(spec: WorkspaceSpec): string {
  const compared: Record<string, unknown> = {};
  for (const field of Object.keys(spec).toSorted() as (keyof WorkspaceSpec)[]) {
    const value = field === 'image' ? hashedImage(spec) : spec[field];
    if (ruleOf(field).how === 'recreate' && !isUnasked(value)) compared[field] = value;
  }
  const routes = hashedRoutes(spec);
  if (routes.length > 0) compared.routes = routes;
  return createHash('sha256').update(canonical(compared)).digest('hex').slice(0, HASH_CHARS);
}

function isUnasked(value: unknown): boolean {
  return (
    value === null || value === '' || value === 0 || value === false || (Array.isArray(value) && value.length === 0)
  );
}

/** Labels of a container can't be changed. */
function hashedRoutes({ routes, routedBy }: WorkspaceSpec): WorkspaceSpec['routes'] {
  return routedBy === 'labels' ? routes : [];
}

/** The wanted id is compared with the container's own; without one its names are all there is to compare. */
function hashedImage({ image: { id, reference, tag } }: WorkspaceSpec): string {
  if (id !== '') return '';
  return tag ? `${reference} ${tag}` : reference;
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

export type Comparison = 'same' | 'in-place' | 'recreate';

/** `wantedImageId` empty takes any image. */
export function compareContainer(spec: WorkspaceSpec, container: ObservedContainer, wantedImageId: string): Comparison {
  if (container.specHash !== hashSpec(spec) || container.generation < spec.remake) return 'recreate';
  if (wantedImageId !== '' && container.imageId !== wantedImageId) return 'recreate';
  return compareLimits(spec, container.limits);
}

/** Docker sets a new limit on a running container, but takes none away. */
function compareLimits(spec: WorkspaceSpec, actual: ContainerLimits): Comparison {
  const isLifted = (wanted: number, now: number): boolean => wanted === 0 && now > 0;
  if (isLifted(spec.cpuLimit, actual.cpuLimit)) return 'recreate';
  if (isLifted(spec.memoryLimitBytes, actual.memoryLimitBytes)) return 'recreate';
  const isSame =
    Math.abs(spec.cpuLimit - actual.cpuLimit) < 1e-6 &&
    spec.memoryLimitBytes === actual.memoryLimitBytes &&
    spec.autoStart === actual.autoStart;
  return isSame ? 'same' : 'in-place';
}
