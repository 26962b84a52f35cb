import type { UnknownObject } from '../../../lib/protocol/calls';
import type { WorkspaceSpec } from '../../../lib/protocol/specs/workspace';
import type { EngineEvent, ObservedContainer } from '../../engines/engine';
import type { Kind, ObjectToPlan, Planned } from '../kind';
import { ExitWatcher } from './exits';
import { forgetPast, type WorkspaceMemory } from './memory';
import { readLastLines } from './last-lines';
import { followCrash, RECOVERED_MS } from './crashes';
import { addOwnId, describeTwins, splitOwn } from './own';
import { findWantedImage, observeContainers } from './observe';
import { planWorkspace } from './plan';
import { toObservedWorkspace } from './status';
import { type WorkspaceOptions, WorkspaceWork } from './work';

type Containers = ObservedContainer[];

const UNREAD_LOOK_AGAIN_MS = 3000;
const ROUTES_LOOK_AGAIN_MS = 20_000;
const UNROUTED_LOOK_AGAIN_MS = 5000;

/** Brings this host's containers to what its workspaces want. */
export class WorkspaceReconciler implements Kind<'workspace', Containers> {
  readonly name = 'workspace';
  private readonly exits = new ExitWatcher();

  constructor(private readonly options: WorkspaceOptions) {}

  observe(): Promise<ReadonlyMap<string, Containers>> {
    return observeContainers(this.options.engine, this.options.hostId);
  }

  async plan({ id, spec, seen = [], host }: ObjectToPlan<WorkspaceSpec, Containers>): Promise<Planned> {
    const { engine, clock, onObject } = this.options;
    // Nothing is known for sure, so nothing is done and nothing is told: the host says what its engine doesn't answer.
    if (seen.some(({ state }) => state === 'unread')) {
      return { report: () => undefined, lookAgainMs: UNREAD_LOOK_AGAIN_MS };
    }
    const { own, twins } = splitOwn(seen, this.options.memory.get(id));
    const memory = await this.refreshMemory(id, spec, own);
    const wantedImageId = spec ? await findWantedImage(engine, spec, memory) : '';
    const waitMs = (memory.failure?.retryAtMs ?? 0) - clock.now();
    const isWaiting = waitMs > 0;
    const takenNames = twins.map(({ name }) => name);
    const plan = planWorkspace({
      workspaceId: id,
      spec,
      containers: own,
      takenNames,
      wantedImageId,
      memory,
      isWaiting,
    });
    const isAtRest = plan.operations.length === 0;
    const { container } = plan.state;
    const unrouted = isAtRest ? await this.options.routing.settle({ id, spec, host, container }) : '';
    const message = [plan.state.message, unrouted, describeTwins(twins)].filter(Boolean).join(' ');
    const state = { ...plan.state, message, ...(unrouted !== '' && { status: 'error' as const }) };
    const report = (): void => onObject(toObservedWorkspace({ workspaceId: id, spec, state, memory }));
    if (!isAtRest) {
      const work = new WorkspaceWork({ ...this.options, id, spec, plan, host });
      return { report, apply: (signal, slot) => work.run(signal, slot), onQueued: () => work.tellQueued() };
    }
    return {
      report: () => {
        report();
        if (spec && plan.state.status !== 'error') this.settle(id, spec, plan.state.container);
      },
      lookAgainMs: soonest(
        memory.failure && !memory.failure.isFinal && isWaiting ? waitMs : undefined,
        memory.crash ? RECOVERED_MS : undefined,
        // Nothing tells of a proxy that was made anew, or of a folder that can be written again.
        spec && spec.routes.length > 0 ? (unrouted === '' ? ROUTES_LOOK_AGAIN_MS : UNROUTED_LOOK_AGAIN_MS) : undefined,
      ),
    };
  }

  isSuperseded(begun: WorkspaceSpec | null, wanted: WorkspaceSpec | null): boolean {
    return keyOf(begun) !== keyOf(wanted);
  }

  /** Its volumes and networks. */
  needs({ mounts, networks }: WorkspaceSpec): string[] {
    return [...mounts.map(({ volumeId }) => volumeId), ...networks];
  }

  takeEvent(event: EngineEvent, wanted: ReadonlyMap<string, WorkspaceSpec | null>): void {
    const exit = this.exits.take(event);
    const spec = wanted.get(event.workspaceId);
    if (!exit || spec?.state !== 'running' || spec.autoStart) return;
    const { generation, attempt } = spec;
    this.remember(event.workspaceId, { exit: { ...exit, generation, attempt, lastLines: null } });
  }

  describeUnknown(id: string, containers: Containers): UnknownObject | undefined {
    const [newest] = containers
      .filter(({ state }) => state !== 'removing')
      .toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
    if (!newest || id === '') return undefined;
    const isRunning = containers.some(({ state }) => state === 'running' || state === 'restarting');
    return { kind: this.name, id, name: newest.name, imageId: newest.imageId, isRunning };
  }

  retain(ids: ReadonlySet<string>): void {
    const { memory } = this.options;
    for (const id of memory.ids()) if (!ids.has(id)) memory.forget(id);
    this.options.routing.retain(ids);
  }

  /** Drops what belongs to an earlier generation or attempt, and adds what the containers tell. */
  private async refreshMemory(
    id: string,
    spec: WorkspaceSpec | null,
    containers: Containers,
  ): Promise<WorkspaceMemory> {
    const { engine, clock } = this.options;
    const wanted = spec ?? { generation: 0, attempt: 0 };
    const before = this.options.memory.get(id).crash;
    const crash = await followCrash({ engine, containers, crash: before, wanted, nowMs: clock.now() });
    const memory = forgetPast(this.options.memory.get(id), wanted);
    const exited = containers.find((container) => container.containerId === memory.exit?.containerId);
    const lastLines = memory.exit?.lastLines ?? (exited ? await readLastLines(engine, exited.containerId) : null);
    const outOfMemory = memory.exit?.outOfMemory === true || exited?.outOfMemory === true;
    const exit = memory.exit && { ...memory.exit, outOfMemory, lastLines };
    const fresh = { ...memory, exit, crash };
    this.options.memory.set(id, fresh);
    return fresh;
  }

  private settle(id: string, spec: WorkspaceSpec, container: ObservedContainer | undefined): void {
    const isUp = container?.state === 'running';
    this.remember(id, {
      ownIds: addOwnId(this.options.memory.get(id), container?.containerId ?? ''),
      ...(container?.health === 'healthy' && { healthyContainerId: container.containerId }),
      ...(isUp && spec.state === 'running' && { settledGeneration: spec.generation }),
    });
  }

  private remember(id: string, change: Partial<WorkspaceMemory>): void {
    const { memory } = this.options;
    memory.set(id, { ...memory.get(id), ...change });
  }
}

function keyOf(spec: WorkspaceSpec | null): string {
  return spec ? `${spec.generation} ${spec.attempt} ${spec.state}` : 'gone';
}

function soonest(...times: (number | undefined)[]): number | undefined {
  const known = times.filter((time) => time !== undefined);
  return known.length > 0 ? Math.min(...known) : undefined;
}
