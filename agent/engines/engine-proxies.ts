import type { ProxySpec } from '../../lib/protocol/specs/proxy';
import type { ContainerState, OwnedNetwork } from './engine';

/** The container of the host's reverse proxy that the agent made. */
export interface ObservedProxyContainer {
  containerId: string;
  name: string;
  specHash: string;
  state: ContainerState;
  exitCode: number;
  /** How often the engine has started it again by itself. */
  restarts: number;
  /** Milliseconds since the epoch; 0 when it never ran. */
  startedAtMs: number;
  createdAt: string;
  /** The file on the host that it reads as its configuration; empty when it has none. */
  configFile: string;
}

export interface ProxyRequest {
  hostId: string;
  specHash: string;
  /** Image id or name; it must be on the host. */
  image: string;
  spec: ProxySpec;
  /** Absolute paths on the host. */
  configFile: string;
  dynamicFolder: string;
}

/** Where a container answers. */
export interface ContainerAddress {
  isRunning: boolean;
  /** It has no address of its own: it listens on the machine's. */
  isOnHost: boolean;
  /** Its address on each network by the network's name. */
  addresses: Record<string, string>;
}

/** What an engine does for the host's reverse proxy. Every call may throw an EngineError. */
export interface EngineProxies {
  /** Newest first; containers with our labels alone. */
  observe(hostId: string): Promise<ObservedProxyContainer[]>;
  /** Throws a conflict when a container that is not the host's proxy has the name. */
  requireFreeName(hostId: string, name: string): Promise<void>;
  /** Makes the network unless there is one of that name, whosever it is. */
  ensureNetwork(hostId: string, name: string): Promise<void>;
  /**
   * Throws when the engine does not see a file as the agent has written it: in a container of its own, or on another machine,
   * the agent writes somewhere else. `image` is any image of the host.
   */
  requireSeen(file: { hostId: string; image: string; configFile: string; config: string }): Promise<void>;
  /** Returns the container's id. Nothing is left behind when it throws. */
  create(request: ProxyRequest): Promise<string>;
  /** Removes the networks that were made for the host's proxy and that nobody is on, but for the one that is named. */
  removeNetworks(hostId: string, keep: string): Promise<void>;
  /** Any container by its name, or null when there is none. */
  findAddress(containerName: string): Promise<ContainerAddress | null>;
}

export interface ProxyConnection extends OwnedNetwork {
  containerId: string;
  /** The proxy's. */
  containerName: string;
}
