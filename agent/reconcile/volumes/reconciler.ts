import type { HostSpec } from '../../../lib/protocol/specs/host';
import type { VolumeSpec } from '../../../lib/protocol/specs/volume';
import type { EngineResources } from '../../engines/engine';
import {
  type ResourceOptions,
  type ResourcePlan,
  ResourceReconciler,
  type ResourceToPlan,
} from '../resources/resource-reconciler';
import type { BindFolders } from './bind-folders';

const MADE_ANEW = 'It was removed on the host by hand, with all that was in it, and was made anew.';

/** Brings this host's volumes to what the console's records want. */
export class VolumeReconciler extends ResourceReconciler<'volume'> {
  readonly name = 'volume';
  /** Volumes of the engine that were there once since the agent started. */
  private readonly wereThere = new Set<string>();
  private readonly madeAnew = new Set<string>();

  constructor(
    private readonly volumes: EngineResources,
    private readonly folders: BindFolders,
    options: ResourceOptions,
  ) {
    super(options);
  }

  protected list(): Promise<string[]> {
    return this.volumes.list(this.options.hostId);
  }

  protected planOne({ id, spec, isThere, host }: ResourceToPlan<VolumeSpec>): ResourcePlan | Promise<ResourcePlan> {
    // The data stays unless somebody asked for its end.
    if (spec === null) {
      this.forget(id);
      return { status: 'absent', message: '' };
    }
    if (spec.pathOnHost !== '') return this.planFolder(id, spec, host);
    const resource = { hostId: this.options.hostId, id };
    if (spec.state === 'removed') {
      if (!isThere) return { status: 'absent', message: '' };
      return { status: 'pending', message: '', act: () => this.volumes.remove(resource) };
    }
    if (isThere) {
      this.wereThere.add(id);
      return { status: 'created', message: this.madeAnew.has(id) ? MADE_ANEW : '' };
    }
    if (this.wereThere.has(id)) this.madeAnew.add(id);
    return { status: 'pending', message: '', act: () => this.volumes.create(resource) };
  }

  protected override forget(id: string): void {
    this.wereThere.delete(id);
    this.madeAnew.delete(id);
    this.folders.forget(id);
  }

  /** A folder of the host is never removed. */
  private async planFolder(id: string, spec: VolumeSpec, host: HostSpec | null): Promise<ResourcePlan> {
    if (spec.state === 'removed') return { status: 'absent', message: '' };
    const wanted = { id, path: spec.pathOnHost, ownerId: host?.sharedBindFolders ? '' : spec.ownerId };
    this.options.supplies.setFolder(id, () => this.folders.require(wanted));
    if (await this.folders.find(wanted)) return { status: 'created', message: '' };
    return { status: 'pending', message: '', act: () => this.folders.make(wanted) };
  }
}
