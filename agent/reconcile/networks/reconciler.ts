import type { NetworkSpec } from '../../../lib/protocol/specs/network';
import type { EngineResources } from '../../engines/engine';
import {
  type ResourceOptions,
  type ResourcePlan,
  ResourceReconciler,
  type ResourceToPlan,
} from '../resources/resource-reconciler';

/** Brings this host's networks to what the console's records want. */
export class NetworkReconciler extends ResourceReconciler<'network'> {
  readonly name = 'network';

  constructor(
    private readonly networks: EngineResources,
    options: ResourceOptions,
  ) {
    super(options);
  }

  protected list(): Promise<string[]> {
    return this.networks.list(this.options.hostId);
  }

  protected planOne({ id, spec, isThere }: ResourceToPlan<NetworkSpec>): ResourcePlan {
    const resource = { hostId: this.options.hostId, id };
    if (spec === null) {
      if (!isThere) return { status: 'absent', message: '' };
      return { status: 'pending', message: '', act: () => this.networks.remove(resource) };
    }
    if (isThere) return { status: 'created', message: '' };
    return { status: 'pending', message: '', act: () => this.networks.create(resource) };
  }
}
