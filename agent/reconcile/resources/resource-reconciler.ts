import type { ObservedResource } from '../../../lib/protocol/calls';
import type { DesiredSpecs } from '../../../lib/protocol/specs/desired';
import type { HostSpec } from '../../../lib/protocol/specs/host';
import type { AgentClock } from '../../clock';
import { EngineError, toMessage } from '../../engines/engine-error';
import type { AgentLog } from '../../log';
import type { Kind, ObjectToPlan, Planned } from '../kind';
import { retryDelayMs } from '../retry-delay';
import type { Supplies } from './supplies';

export type ResourceKind = 'volume' | 'network';

/** What there is to do for a volume or a network, and how it is before that. */
export interface ResourcePlan {
  status: ObservedResource['status'];
  message: string;
  act?: (() => Promise<void>) | undefined;
}

export interface ResourceOptions {
  hostId: string;
  clock: AgentClock;
  log: AgentLog;
  supplies: Supplies;
  onObject(object: ObservedResource): void;
}

interface Failure {
  spec: string;
  message: string;
  retries: number;
  retryAtMs: number;
}

/** What the two kinds of things that containers use have in common: they are there or not. */
export abstract class ResourceReconciler<K extends ResourceKind> implements Kind<K, true> {
  abstract readonly name: K;
  private readonly failures = new Map<string, Failure>();

  constructor(protected readonly options: ResourceOptions) {}

  protected abstract list(): Promise<string[]>;
  /** Throws an EngineError for what no retry mends before the spec or the host changes. */
  protected abstract planOne(object: ResourceToPlan<DesiredSpecs[K]>): ResourcePlan | Promise<ResourcePlan>;
  /** Notes what containers may be given of it from now on; null when it goes. */
  protected forget(_id: string): void {}

  async observe(): Promise<ReadonlyMap<string, true>> {
    return new Map((await this.list()).map((id) => [id, true]));
  }

  async plan({ id, spec, seen, host }: ObjectToPlan<DesiredSpecs[K], true>): Promise<Planned> {
    const plan = await this.planSafely({ id, spec, isThere: seen === true, host });
    const { clock } = this.options;
    const key = JSON.stringify(spec);
    const failure = this.failures.get(id);
    const known = failure?.spec === key ? failure : undefined;
    if (!plan.act) this.failures.delete(id);
    const shown = plan.act && known ? { status: 'error' as const, message: known.message } : plan;
    const retries = plan.act ? (known?.retries ?? 0) : 0;
    const report = (): void => this.tell(id, { ...shown, retries, isFinal: !plan.act });
    const waitMs = (known?.retryAtMs ?? 0) - clock.now();
    if (!plan.act) return { report };
    if (known && waitMs > 0) return { report, lookAgainMs: waitMs };
    const { act } = plan;
    return { report, apply: () => this.run(id, { act, key, retries: known?.retries ?? 0 }) };
  }

  isSuperseded(): boolean {
    return false;
  }

  retain(ids: ReadonlySet<string>): void {
    for (const id of this.failures.keys()) if (!ids.has(id)) this.failures.delete(id);
    for (const id of this.options.supplies.ids(this.name)) {
      if (ids.has(id)) continue;
      this.options.supplies.drop(this.name, id);
      this.forget(id);
    }
  }

  private async planSafely(object: ResourceToPlan<DesiredSpecs[K]>): Promise<ResourcePlan> {
    try {
      return await this.planOne(object);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      return { status: 'error', message: error.message };
    }
  }

  private tell(id: string, state: Omit<ObservedResource, 'kind' | 'id'> & { isFinal: boolean }): void {
    const { status, message, retries, isFinal } = state;
    this.options.supplies.note(this.name, id, { status, message, isFinal });
    this.options.onObject({ kind: this.name, id, status, message, retries });
  }

  private async run(id: string, work: { act(): Promise<void>; key: string; retries: number }): Promise<void> {
    try {
      await work.act();
      this.failures.delete(id);
    } catch (error) {
      const { clock, log } = this.options;
      const retries = work.retries + 1;
      const message = toMessage(error);
      const retryAtMs = clock.now() + retryDelayMs(retries - 1, () => clock.random());
      log.warn({ kind: this.name, id, retries, error: message }, 'What containers use could not be put right');
      this.failures.set(id, { spec: work.key, message, retries, retryAtMs });
    }
  }
}

export interface ResourceToPlan<Spec> {
  id: string;
  spec: Spec | null;
  isThere: boolean;
  host: HostSpec | null;
}
