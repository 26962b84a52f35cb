import net from 'node:net';
import type { MuxStream } from '../../lib/protocol/mux-stream';
import { StreamDuplex } from '../../lib/protocol/stream-duplex';
import type { OpenTunnel, TunnelHead, TunnelRefusal } from '../../lib/protocol/tunnel-streams';
import type { Engine, ObservedContainer } from '../engines/engine';
import { toMessage } from '../engines/engine-error';
import { findOwnContainer } from '../own-container';
import { findContainer } from './log-source';

export interface TunnelOptions {
  engine: Engine;
  hostId: string;
  /** Whose a workspace is; empty for nobody. */
  ownerOf(workspaceId: string): string;
  /** The container that the agent itself runs in, empty where it runs on the machine; found out when left out. */
  ownContainer?: () => Promise<string>;
}

const CONNECT_MS = 5000;
/** A container that is gone without a word is noticed after about this long. */
const KEEP_ALIVE_MS = 30_000;
const TUNNELS_MAX = 4000;
const TUNNELS_PER_WORKSPACE = 2000;
const LISTENERS_MAX = 100;

class Refused extends Error {
  constructor(
    readonly code: TunnelRefusal,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Connections from the console to ports of workspaces: to the container that the engine lists for the workspace at this moment,
 * by the address that the engine gives it, and nowhere else.
 */
export class Tunnels {
  private readonly open = new Map<string, number>();
  private total = 0;
  private ownContainer: Promise<string> | undefined;
  private readonly looking = new Map<string, Promise<string>>();

  constructor(private readonly options: TunnelOptions) {}

  serve(stream: MuxStream, { workspaceId, port }: OpenTunnel): void {
    const duplex = new StreamDuplex(stream, { allowHalfOpen: true });
    // Whoever is at the other end hears of it by the stream's end.
    duplex.on('error', () => undefined);
    const count = this.open.get(workspaceId) ?? 0;
    if (this.total >= TUNNELS_MAX || count >= TUNNELS_PER_WORKSPACE) {
      return refuse(duplex, { tunnel: 'full', message: 'Too many connections are open.', listeners: [] });
    }
    this.total += 1;
    this.open.set(workspaceId, count + 1);
    duplex.once('close', () => this.forget(workspaceId));
    this.connect(duplex, workspaceId, port).catch(async (error: unknown) => {
      refuse(duplex, await this.describe(error, workspaceId));
    });
  }

  private async connect(duplex: StreamDuplex, workspaceId: string, port: number): Promise<void> {
    const host = await this.findAddress(workspaceId);
    if (duplex.destroyed) return;
    const socket = net.connect({ host, port, allowHalfOpen: true, noDelay: true });
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    duplex.once('close', () => socket.destroy());
    await connected(socket, port);
    socket.on('error', (error) => duplex.destroy(error));
    send(duplex, { tunnel: 'open' });
    socket.pipe(duplex);
    duplex.pipe(socket);
  }

  /** Asked once for all who come at the same moment. */
  private findAddress(workspaceId: string): Promise<string> {
    const known = this.looking.get(workspaceId);
    if (known) return known;
    const looking = this.look(workspaceId).finally(() => this.looking.delete(workspaceId));
    this.looking.set(workspaceId, looking);
    return looking;
  }

  private async look(workspaceId: string): Promise<string> {
    const { engine } = this.options;
    if (engine.kind === 'simulated') {
      throw new Refused('simulated', 'The engine of this host is simulated: nothing is really run.');
    }
    const container = await findContainer(this.options, workspaceId);
    if (container?.state !== 'running') throw new Refused('stopped', 'The workspace does not run.');
    const containerName = await (this.ownContainer ??= this.findOwn());
    const address = containerName ? await this.join(container, workspaceId, containerName) : container.address;
    if (net.isIP(address) !== 0) return address;
    throw new Refused('unreachable', 'The container has no address of its own. Redeploy the workspace.');
  }

  /** Of this engine: on a machine that is itself a container, the agent may be in one that its engine knows nothing of. */
  private async findOwn(): Promise<string> {
    const { engine, ownContainer = findOwnContainer } = this.options;
    const id = await ownContainer();
    const name = id === '' ? undefined : (await engine.inspectContainer(id))?.name;
    const known = name && (await engine.proxies?.findAddress(name));
    return known && !known.isOnHost ? name : '';
  }

  /** An agent in a container is on other networks than the workspaces: it joins the one that is for proxies. */
  private join({ containerId }: ObservedContainer, workspaceId: string, containerName: string): Promise<string> {
    const { engine, hostId, ownerOf } = this.options;
    return engine.connectProxy({ hostId, ownerId: ownerOf(workspaceId), containerId, containerName });
  }

  private async describe(error: unknown, workspaceId: string): Promise<TunnelHead> {
    if (!(error instanceof Refused)) return { tunnel: 'unreachable', message: wordsOf(error), listeners: [] };
    const { code: tunnel, message } = error;
    return { tunnel, message, listeners: tunnel === 'silent' ? await this.listListeners(workspaceId) : [] };
  }

  private async listListeners(workspaceId: string) {
    const { engine } = this.options;
    try {
      const container = await findContainer(this.options, workspaceId);
      const listeners = container && (await engine.inside.listListeners(container.containerId));
      return (listeners ?? []).slice(0, LISTENERS_MAX);
    } catch {
      // It is told without them.
      return [];
    }
  }

  private forget(workspaceId: string): void {
    this.total -= 1;
    const left = (this.open.get(workspaceId) ?? 1) - 1;
    if (left === 0) this.open.delete(workspaceId);
    else this.open.set(workspaceId, left);
  }
}

/** Resolves once the socket is connected. Rejects with a Refused. */
function connected(socket: net.Socket, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (code: TunnelRefusal, message: string): void => {
      clearTimeout(late);
      socket.destroy();
      reject(new Refused(code, message));
    };
    const late = setTimeout(() => fail('unreachable', `Port ${port} gave no answer in time.`), CONNECT_MS);
    const onError = (error: NodeJS.ErrnoException): void => {
      if (error.code === 'ECONNREFUSED') fail('silent', `Nothing answers at port ${port}.`);
      else fail('unreachable', wordsOf(error));
    };
    const onClose = (): void => fail('unreachable', 'The connection was given up.');
    socket.once('error', onError).once('close', onClose);
    socket.once('connect', () => {
      clearTimeout(late);
      socket.off('error', onError).off('close', onClose);
      resolve();
    });
  });
}

const wordsOf = (error: unknown): string =>
  `The container can't be reached from the agent: ${toMessage(error)}`.slice(0, 2000);

function send(duplex: StreamDuplex, head: TunnelHead): void {
  duplex.write(`${JSON.stringify(head)}\n`);
}

function refuse(duplex: StreamDuplex, head: TunnelHead): void {
  if (duplex.destroyed) return;
  send(duplex, head);
  duplex.end();
  duplex.resume();
}
