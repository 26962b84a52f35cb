import 'server-only';
import http from 'node:http';
import type { Duplex } from 'node:stream';
import { openHostStream } from '@/lib/hosts/link/host-link';
import { AppError } from '@/lib/errors';
import type { MuxStream } from '@/lib/protocol/mux-stream';
import { parseJson } from '@/lib/protocol/parse-json';
import { StreamDuplex } from '@/lib/protocol/stream-duplex';
import { type TunnelHead, tunnelHeadSchema } from '@/lib/protocol/tunnel-streams';
import { StoreReader } from '@/lib/records/transaction';
import { singleton } from '@/lib/singleton';
import type { AppName } from '@/lib/vocabulary/app-address';
import { workspaces } from '@/lib/workspaces/collection';

/** Longer than an agent takes to find out. */
const OPEN_MS = 15_000;
/** For how long a connection is kept that nobody uses: servers give up theirs after five seconds and more. */
const SPARE_MS = 4000;
const SPARE_PER_PORT = 32;
const SOCKETS_PER_PORT = 256;

type Refused = Exclude<TunnelHead, { tunnel: 'open' }>;

/** There is no connection to a workspace's port. */
export class NoTunnel extends Error {
  override name = 'NoTunnel';

  constructor(
    readonly why: Refused['tunnel'] | 'offline' | 'old',
    message: string,
    readonly listeners: Refused['listeners'] = [],
  ) {
    super(message);
  }
}

/** A connection to a port of a workspace, wherever it runs. Rejects with NoTunnel. */
export async function openTunnel({ workspace, port }: AppName): Promise<StreamDuplex> {
  const [row] = new StoreReader().findParts(workspaces, ['host'], { id: workspace });
  if (!row) throw new NoTunnel('stopped', 'There is no such workspace.');
  return opened(open(row.host, { workspace, port }));
}

function open(hostId: string, { workspace: workspaceId, port }: AppName): MuxStream {
  try {
    return openHostStream(hostId, { kind: 'tunnel', workspaceId, port });
  } catch (error) {
    if (error instanceof AppError) throw new NoTunnel('offline', error.message);
    throw error;
  }
}

/** The head comes in one piece, as it is written in one; what follows it is the workspace's. */
function opened(stream: MuxStream): Promise<StreamDuplex> {
  return new Promise((resolve, reject) => {
    const fail = (error: NoTunnel): void => {
      clearTimeout(late);
      stream.cancel();
      reject(error);
    };
    const give = (head: TunnelHead): void => {
      if (head.tunnel !== 'open') return fail(new NoTunnel(head.tunnel, head.message, head.listeners));
      clearTimeout(late);
      resolve(new StreamDuplex(stream, { allowHalfOpen: false }));
    };
    const silent = (): void => fail(new NoTunnel('offline', 'The host gives no answer at the moment.'));
    const late = setTimeout(silent, OPEN_MS);
    stream.listen({
      onData(chunk) {
        stream.consumed(chunk.length);
        const head = tunnelHeadSchema.safeParse(parseJson(chunk.toString('utf8')));
        if (head.success) give(head.data);
        else silent();
      },
      onError: (message) => fail(new NoTunnel(message.includes('too old') ? 'old' : 'offline', message)),
      onEnd: silent,
    });
  });
}

/** Connections to ports of workspaces as `node:http` uses them: kept for the next request of the same port, and no other. */
class TunnelAgent extends http.Agent {
  constructor() {
    super({ keepAlive: true, timeout: SPARE_MS, maxSockets: SOCKETS_PER_PORT, maxFreeSockets: SPARE_PER_PORT });
  }

  /** Node's own documentation has the callback; its types don't. */
  override createConnection(
    { host, port }: { host?: string | null; port?: number | string | null },
    callback?: (error: Error | null, socket: Duplex) => void,
  ): undefined {
    openTunnel({ workspace: host ?? '', port: Number(port) }).then(
      (tunnel) => callback?.(null, tunnel),
      (error: Error) => callback?.(error, undefined as never),
    );
  }
}

export const tunnelAgent = (): http.Agent => singleton('tunnel-agent', () => new TunnelAgent());
