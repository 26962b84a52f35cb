import 'server-only';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { nowMs } from '@/lib/clock';
import { keepAlive, refuseUpgrade } from '@/lib/http/web-socket';
import { log } from '@/lib/log';
import { createMux, type Mux, type MuxSocket } from '@/lib/protocol/mux';
import { FRAME_HEADER_BYTES } from '@/lib/protocol/frames';
import { FRAME_PAYLOAD_MAX } from '@/lib/protocol/streams';
import { write } from '@/lib/records/transaction';
import { singleton } from '@/lib/singleton';
import { getIdentity, type HostIdentity } from './host-identities';
import { releaseInstance } from './instances';
import { hostLinks, type HostLink, linkFrames, lostLinks, noteLiveLink } from './links';
import { verifyProof } from './proof';
import { refusal } from './refusals';

export const AGENT_LINK_PATH = '/api/agent/link';

/** WebSocket close codes that we send. */
const CLOSE = { normal: 1000, protocolError: 1002 } as const;
/** What a peer says that stops in good order. */
const FAREWELLS = [1000, 1001];

const server = singleton(
  'agent-link-server',
  () =>
    new WebSocketServer({
      noServer: true,
      perMessageDeflate: false,
      maxPayload: FRAME_HEADER_BYTES + FRAME_PAYLOAD_MAX,
    }),
);

/** What a refused upgrade is answered with. */
export interface UpgradeRefusal {
  status: number;
  json?: unknown;
}

/**
 * Takes the upgrade of an agent's live link, `GET /api/agent/link?instance=…` with a proof. A refusal is answered on the
 * socket as `toRefusal` puts it, with the console's time; a host's newer link takes the place of its older one.
 */
export function acceptAgentLink(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  toRefusal: (error: unknown) => UpgradeRefusal,
): void {
  socket.on('error', (error) => log.debug({ err: error }, 'an upgrading socket failed'));
  let identity: HostIdentity;
  let instance: string;
  try {
    ({ identity, instance } = proveUpgrade(request));
  } catch (error) {
    const { status, json } = toRefusal(error);
    refuseUpgrade(socket, { status, json: { ...(json as object), now: nowMs() } });
    return;
  }
  server.handleUpgrade(request, socket, head, (webSocket) => openLink(webSocket, identity.hostId, instance));
}

function proveUpgrade(request: IncomingMessage): { identity: HostIdentity; instance: string } {
  const url = new URL(request.url ?? '/', 'http://console');
  const authorization = request.headers.authorization ?? '';
  const identity = verifyProof({ authorization, method: 'GET', path: url.pathname, body: Buffer.alloc(0) });
  const instance = url.searchParams.get('instance') ?? '';
  // A process says hello by heartbeat first; here it only must not be another than the one that speaks for the host.
  if (instance !== '' && identity.instanceId !== '' && instance !== identity.instanceId) {
    throw refusal('duplicateInstance', 'Another agent speaks for this host.');
  }
  return { identity, instance: instance || identity.instanceId };
}

function openLink(webSocket: WebSocket, hostId: string, instance: string): void {
  const mux = createMux({ socket: counting(webSocket) });
  const link: HostLink = {
    hostId,
    mux,
    close(reason) {
      endLink(link, reason);
      webSocket.close(CLOSE.normal, reason.slice(0, 100));
      setTimeout(() => webSocket.terminate(), 2000).unref();
    },
  };
  const before = hostLinks.get(hostId);
  if (before) before.close('Replaced by a newer link');
  hostLinks.set(hostId, link);
  lostLinks.delete(hostId);
  noteLiveLink(hostId);
  wireSocket(webSocket, { link, mux, instance });
  mux.wake(getIdentity(hostId)?.revision ?? 0);
}

/** The socket, with what is sent over it counted. */
function counting(webSocket: WebSocket): MuxSocket {
  const frames = linkFrames();
  return {
    get bufferedAmount() {
      return webSocket.bufferedAmount;
    },
    send(bytes, done) {
      frames.sent += 1;
      frames.sentBytes += bytes.length;
      webSocket.send(bytes, done);
    },
  };
}

function wireSocket(
  webSocket: WebSocket,
  { link, mux, instance }: { link: HostLink; mux: Mux; instance: string },
): void {
  const stopPinging = keepAlive(webSocket);
  const frames = linkFrames();
  webSocket.on('message', (data, isBinary) => {
    try {
      if (!isBinary) throw new Error('A link carries binary messages only');
      frames.received += 1;
      frames.receivedBytes += (data as Buffer).length;
      mux.receive(data as Buffer);
    } catch (error) {
      log.warn({ err: error, hostId: link.hostId }, 'an agent broke the link protocol');
      endLink(link, 'The agent broke the link protocol');
      webSocket.close(CLOSE.protocolError);
    }
  });
  webSocket.on('error', (error) => log.debug({ err: error, hostId: link.hostId }, 'a live link failed'));
  webSocket.on('close', (code) => {
    stopPinging();
    const wasCurrent = hostLinks.get(link.hostId) === link;
    endLink(link, 'The live link to the host was lost');
    if (wasCurrent && FAREWELLS.includes(code)) sayGoodbye(link.hostId, instance);
  });
}

/** Streams end, and the host has no live link any more; does nothing the second time. */
function endLink(link: HostLink, reason: string): void {
  if (hostLinks.get(link.hostId) === link) {
    hostLinks.delete(link.hostId);
    lostLinks.add(link.hostId);
    noteLiveLink(link.hostId);
  }
  link.mux.close(reason);
}

/** An agent that ended its link in good order may be followed by its next process at once. */
function sayGoodbye(hostId: string, instance: string): void {
  if (instance === '') return;
  write((tx) => releaseInstance(tx, hostId, instance)).catch((error: unknown) => {
    log.warn({ err: error, hostId }, 'an agent could not be signed off');
  });
}
