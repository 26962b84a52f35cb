import type { HostSpec } from '../../lib/protocol/specs/host';
import type { ReverseProxySpec } from '../../lib/protocol/specs/route';
import type { WorkspaceSpec } from '../../lib/protocol/specs/workspace';
import type { Engine, ObservedContainer } from '../engines/engine';
import { toMessage } from '../engines/engine-error';
import type { AgentLog } from '../log';
import { RouteFiles } from './route-files';
import { toTraefikConfig } from './traefik-config';
import { toTraefikLabels } from './traefik-labels';

export interface Routed {
  id: string;
  /** Null when the workspace is to go. */
  spec: WorkspaceSpec | null;
  host: HostSpec | null;
  /** What runs of it now; undefined when nothing does. */
  container: ObservedContainer | undefined;
}

const BY = { labels: 'traefikDockerProvider', files: 'traefikFileProvider' } as const;

/** Has the host's reverse proxy lead to workspaces, and to nothing else of theirs. */
export class Routing {
  private readonly files: RouteFiles;
  private folder = '';
  private sweeping: Promise<unknown> = Promise.resolve();

  constructor(private readonly options: { engine: Engine; hostId: string; log: AgentLog }) {
    this.files = new RouteFiles(options.hostId);
  }

  /** What a container is labelled with for the proxy. Throws in words where the host's settings don't do. */
  labelsOf({ id, spec, host }: Omit<Routed, 'container'>): Record<string, string> {
    if (!spec || spec.routedBy !== 'labels' || spec.routes.length === 0) return {};
    const { hostId, engine } = this.options;
    const proxy = this.requireProxy(host, 'traefikDockerProvider');
    const config = toTraefikConfig({ hostId, workspaceId: id, routes: spec.routes, proxy });
    return toTraefikLabels(config, engine.proxyNetworkName({ hostId, ownerId: spec.isolation.ownerId }));
  }

  /** Brings the proxy up to what runs. Returns why that can't be, in words for people; empty when all is well. */
  async settle(routed: Routed): Promise<string> {
    const { id, spec, host, container } = routed;
    const isServed = spec !== null && spec.routes.length > 0 && isReachable(container);
    try {
      await this.moveFolder(host);
      if (!isServed || spec.routedBy !== 'files') await this.forget(id);
      if (!isServed) return '';
      const proxy = this.requireProxy(host, BY[spec.routedBy || 'labels']);
      const address = await this.connectProxy(proxy, { spec, container });
      if (spec.routedBy === 'files') await this.putFile(address, { id, spec, proxy });
      return '';
    } catch (error) {
      // One that is to go is not held up: what is left of it goes with the next look at the folder.
      if (!spec) return '';
      return `Its addresses can't be ${isServed ? 'reached' : 'closed'}: ${toMessage(error)}`;
    }
  }

  /** Has the proxy's file name the container that takes another's place. The next look tells of what goes wrong. */
  async switchTo(routed: Routed): Promise<void> {
    const trouble = await this.settle(routed);
    if (trouble) this.options.log.warn({ workspaceId: routed.id }, trouble);
  }

  /** Removes what is left of workspaces that are not known any more. */
  retain(ids: ReadonlySet<string>): void {
    const { folder } = this;
    if (folder === '') return;
    const sweep = (): Promise<void> => this.files.sweep(folder, ids);
    this.sweeping = this.sweeping.then(sweep).catch((error: unknown) => {
      this.options.log.debug({ error: toMessage(error) }, 'Files of addresses could not be swept');
    });
  }

  private async putFile(
    address: string,
    { id, spec, proxy }: { id: string; spec: WorkspaceSpec; proxy: ReverseProxySpec },
  ): Promise<void> {
    if (address === '') throw new Error('its container has no address yet');
    const { hostId } = this.options;
    const config = toTraefikConfig({ hostId, workspaceId: id, routes: spec.routes, proxy }, address);
    await this.files.put(proxy.configFileLocation, id, this.files.write(config, id));
  }

  /** The folder of before is cleaned once another is named. */
  private async moveFolder(host: HostSpec | null): Promise<void> {
    // Nothing is known before the console has sent the host's settings.
    if (!host) return;
    const { type, configFileLocation } = host.reverseProxy;
    const folder = type === 'traefikFileProvider' ? configFileLocation : '';
    const before = this.folder;
    this.folder = folder;
    if (before !== '' && before !== folder) await this.files.sweep(before, new Set());
  }

  private async forget(id: string): Promise<void> {
    if (this.folder !== '') await this.files.remove(this.folder, id);
  }

  /** The address by which the proxy reaches the container. */
  private connectProxy(
    { containerName }: ReverseProxySpec,
    { spec, container }: { spec: WorkspaceSpec; container: ObservedContainer },
  ): Promise<string> {
    // Traefik runs on the machine itself, and reaches every container there.
    if (containerName === '') return Promise.resolve(container.address);
    const { engine, hostId } = this.options;
    const { containerId } = container;
    return engine.connectProxy({ hostId, ownerId: spec.isolation.ownerId, containerId, containerName });
  }

  private requireProxy(host: HostSpec | null, type: ReverseProxySpec['type']): ReverseProxySpec {
    const proxy = host?.reverseProxy;
    if (proxy?.type === type) return proxy;
    throw new Error("the host's reverse proxy was changed since. Redeploy the workspace.");
  }
}

function isReachable(container: ObservedContainer | undefined): container is ObservedContainer {
  return container !== undefined && (container.state === 'running' || container.state === 'paused');
}
