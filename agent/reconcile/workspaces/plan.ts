import type { WorkspaceSpec } from '../../../lib/protocol/specs/workspace';
import type { ObservedContainer } from '../../engines/engine';
import { compareContainer } from './compare';
import type { WorkspaceMemory } from './memory';
import type { Operation, Target } from './operations';
import { describeContainer, describeExit, type SeenState } from './status';

export interface PlanInput {
  workspaceId: string;
  /** Null for a tombstone. */
  spec: WorkspaceSpec | null;
  /** All of this workspace's own containers. */
  containers: ObservedContainer[];
  /** Names that others took, twins of this workspace among them. */
  takenNames?: string[];
  /** Engine id of the image that is wanted; empty takes what is there. */
  wantedImageId: string;
  memory: WorkspaceMemory;
  /** Whether a failed attempt's next try isn't due yet. */
  isWaiting: boolean;
}

export interface WorkspacePlan {
  operations: Operation[];
  /** Run when an operation fails, so that nothing half-made stays and the old container is back. */
  onFailure: Operation[];
  /** What to report now: where operations follow, what they are about to do. */
  state: SeenState;
}

/** How long a new container has to stay up before the one that it replaces goes. */
const REPLACE_SETTLE_MS = 2000;

/** What to do for one workspace. Pure: no clock, no randomness, no engine. */
export function planWorkspace(input: PlanInput): WorkspacePlan {
  const plan = planWanted(input);
  const { failure } = input.memory;
  if (plan.operations.length === 0 || !failure || !(failure.isFinal || input.isWaiting)) return plan;
  const status = failure.isFinal ? 'error' : plan.state.status;
  return idle({ status, message: failure.message, container: plan.state.container ?? newest(input.containers) });
}

function planWanted(input: PlanInput): WorkspacePlan {
  if (input.spec === null) return planRemoval(input.containers);
  // A container that is on its way out is waited for: its name and its ports are still taken.
  if (input.containers.some((container) => container.state === 'removing')) {
    return idle({ status: 'deploying', message: 'Waiting for a container that is being removed' });
  }
  return input.spec.state === 'stopped' ? planStop(input.spec, input) : planRunning(input.spec, input);
}

function planRemoval(containers: ObservedContainer[]): WorkspacePlan {
  const gone = containers.filter((container) => container.state !== 'removing');
  const operations = gone.map((container): Operation => ({ type: 'remove', target: targetOf(container) }));
  if (containers.length === 0) return idle({ status: 'absent', message: '' });
  return { operations, onFailure: [], state: { status: 'stopping', message: '', container: containers[0] } };
}

function planStop(spec: WorkspaceSpec, input: PlanInput): WorkspacePlan {
  const running = input.containers.filter(isUp);
  const { kept, others } = splitContainers(spec, input);
  const keep = kept ?? newest(others);
  const operations: Operation[] = running.map(({ containerId }) => ({ type: 'stop', containerId }));
  for (const container of input.containers) {
    if (container !== keep) operations.push({ type: 'remove', target: targetOf(container) });
  }
  const status = running.length > 0 ? 'stopping' : 'stopped';
  return { operations, onFailure: [], state: { status, message: '', container: keep } };
}

function planRunning(spec: WorkspaceSpec, input: PlanInput): WorkspacePlan {
  const { kept, others } = splitContainers(spec, input);
  if (kept && isUp(kept)) return planKept(spec, { kept, others, memory: input.memory });
  if (kept) return planStart(spec, { kept, others, memory: input.memory });
  return planDeploy(spec, input, others);
}

interface Kept {
  kept: ObservedContainer;
  others: ObservedContainer[];
  memory: WorkspaceMemory;
}

/** The right container is up: change its limits where they differ, and let the others go. */
function planKept(spec: WorkspaceSpec, { kept, others, memory }: Kept): WorkspacePlan {
  const operations: Operation[] = planConnection(spec, kept);
  const isDifferent = compareContainer(spec, kept, '') === 'in-place';
  if (isDifferent) operations.push({ type: 'update', containerId: kept.containerId, limits: limitsOf(spec) });
  if (isOldCrash(spec, kept, memory)) {
    operations.push({ type: 'stop', containerId: kept.containerId });
    operations.push({ type: 'start', target: targetOf(kept), isRestore: false });
    return { operations, onFailure: [], state: { status: 'starting', message: '', container: kept } };
  }
  if (kept.state === 'paused') operations.push({ type: 'start', target: targetOf(kept), isRestore: false });
  const unwanted = others.filter((container) => container.state !== 'removing');
  if (unwanted.some(isUp)) {
    operations.push({ type: 'wait-up', target: targetOf(kept), settleMs: REPLACE_SETTLE_MS });
  }
  for (const container of unwanted) operations.push({ type: 'remove', target: targetOf(container) });
  return { operations, onFailure: [], state: describeContainer(kept, memory) };
}

/** Whether somebody asked for another try of what ends again and again. */
function isOldCrash(spec: WorkspaceSpec, kept: ObservedContainer, { crash }: WorkspaceMemory): boolean {
  if (crash?.containerId !== kept.containerId) return false;
  return crash.generation !== spec.generation || crash.attempt !== spec.attempt;
}

/** The right container is there and down. */
function planStart(spec: WorkspaceSpec, { kept, others, memory }: Kept): WorkspacePlan {
  if (memory.exit?.containerId === kept.containerId && !spec.autoStart) {
    return idle({ status: 'error', message: describeExit(memory.exit), container: kept });
  }
  const replaced = others.filter(isUp);
  const plan = planReplacement({ spec, target: targetOf(kept), replaced, others });
  const update: Operation[] =
    compareContainer(spec, kept, '') === 'in-place'
      ? [{ type: 'update', containerId: kept.containerId, limits: limitsOf(spec) }]
      : [];
  return {
    operations: [...planConnection(spec, kept), ...update, ...plan.operations],
    onFailure: replaced.length > 0 ? plan.onFailure : [],
    state: { status: 'starting', message: '', container: kept },
  };
}

/** Nothing fits: make a container anew, and keep the old one until it is up, or until the new one is made. */
function planDeploy(spec: WorkspaceSpec, input: PlanInput, others: ObservedContainer[]): WorkspacePlan {
  const { image } = spec;
  const replaced = others.filter(isUp);
  const plan = planReplacement({ spec, target: 'new', replaced, others });
  const taken = [...input.containers.map((container) => container.name), ...(input.takenNames ?? [])];
  const name = pickName(input.workspaceId, spec, taken);
  const operations: Operation[] = [
    {
      type: 'prepare-image',
      reference: image.reference,
      imageId: image.id,
      pull: image.pull,
      replacedImageId: newest(replaced)?.imageId ?? '',
    },
    { type: 'create', name },
    ...plan.operations,
  ];
  const state: SeenState = { status: 'deploying', message: '', container: replaced[0] };
  return { operations, onFailure: plan.onFailure, state };
}

/** Someone took the container off a network, or the agent ended before it was on all of them. */
function planConnection(spec: WorkspaceSpec, kept: ObservedContainer): Operation[] {
  const networks = spec.networks.filter((id) => !kept.networks.includes(id));
  return networks.length > 0 ? [{ type: 'connect', target: targetOf(kept), networks }] : [];
}

interface Replacement {
  spec: WorkspaceSpec;
  target: Target;
  /** Containers that run and are to go once the target is up. */
  replaced: ObservedContainer[];
  others: ObservedContainer[];
}

function planReplacement({ spec, target, replaced, others }: Replacement): Omit<WorkspacePlan, 'state'> {
  const inTheWay = replaced.filter((container) => spec.order === 'stop-first' || hasSamePort(spec, container));
  const operations: Operation[] = inTheWay.map(({ containerId }) => ({ type: 'stop', containerId }));
  operations.push({ type: 'start', target, isRestore: false });
  if (replaced.length > 0) operations.push({ type: 'wait-up', target, settleMs: REPLACE_SETTLE_MS });
  if (replaced.length > 0 && spec.routes.length > 0) operations.push({ type: 'route', target });
  for (const container of others) operations.push({ type: 'remove', target: targetOf(container) });
  const restore = inTheWay.map((container): Operation => {
    return { type: 'start', target: targetOf(container), isRestore: true };
  });
  return { operations, onFailure: [{ type: 'remove', target }, ...restore] };
}

function hasSamePort(spec: WorkspaceSpec, container: ObservedContainer): boolean {
  return spec.ports.some(
    (port) =>
      port.hostPort !== 0 &&
      container.ports.some((taken) => taken.hostPort === port.hostPort && taken.protocol === port.protocol),
  );
}

/** The container that fits the spec, the running one first, and the rest. */
function splitContainers(spec: WorkspaceSpec, { containers, wantedImageId }: PlanInput) {
  const fitting = containers.filter((container) => {
    return container.state !== 'dead' && compareContainer(spec, container, wantedImageId) !== 'recreate';
  });
  const kept = newest(fitting.filter(isUp)) ?? newest(fitting);
  return { kept, others: containers.filter((container) => container !== kept) };
}

function newest(containers: ObservedContainer[]): ObservedContainer | undefined {
  return containers.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1))[0];
}

function isUp({ state }: ObservedContainer): boolean {
  return state === 'running' || state === 'restarting' || state === 'paused';
}

function targetOf({ containerId }: ObservedContainer): Target {
  return { containerId };
}

function limitsOf({ cpuLimit, memoryLimitBytes, autoStart }: WorkspaceSpec) {
  return { cpuLimit, memoryLimitBytes, autoStart };
}

function idle(state: SeenState): WorkspacePlan {
  return { operations: [], onFailure: [], state };
}

const NAME_MAX_CHARS = 40;

/** Says whose it is; the generation keeps the old and the new one apart. */
function pickName(workspaceId: string, spec: WorkspaceSpec, takenNames: string[]): string {
  const slug = spec.name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, NAME_MAX_CHARS)
    .replace(/^-+|-+$/g, '');
  const base = ['berth', slug, workspaceId, String(spec.generation)].filter(Boolean).join('-');
  const taken = new Set(takenNames);
  let name = base;
  for (let copy = 2; taken.has(name); copy += 1) name = `${base}-${copy}`;
  return name;
}
