import 'server-only';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { toErrorResponse } from '@/lib/http/error-response';
import { headOfUpgrade, refuseUpgrade, type UpgradeHead } from '@/lib/http/web-socket';
import { log } from '@/lib/log';
import { singleton } from '@/lib/singleton';
import type { TerminalRequest } from './opening';
import { isHostTerminalPath, readHostTerminalRequest } from './request';
import { ViewerSocket } from './viewer-socket';

export { isHostTerminalPath };

/** A page sends what is pasted in parts of this size at most. */
const MESSAGE_BYTES = 64 * 1024;

const server = () =>
  singleton(
    'terminal-server',
    () => new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: MESSAGE_BYTES }),
  );

/** A request for a terminal, with the bytes that came after its head. */
export interface TerminalUpgrade {
  request: IncomingMessage;
  socket: Duplex;
  head: Buffer;
}

/**
 * Takes the upgrade of a terminal's socket, which `read` makes out. What is refused is answered on the socket as the
 * record API would. Never throws.
 */
export function acceptTerminal(
  { request, socket, head }: TerminalUpgrade,
  read: (head: UpgradeHead) => Promise<TerminalRequest>,
): void {
  socket.on('error', (error) => log.debug({ err: error }, 'an upgrading socket failed'));
  const asked = headOfUpgrade(request);
  read(asked).then(
    (terminal) => {
      server().handleUpgrade(request, socket, head, (webSocket) => {
        const origin = { address: asked.address, userAgent: asked.header('user-agent') };
        new ViewerSocket(webSocket, terminal, origin).start();
      });
    },
    (error: unknown) => refuseUpgrade(socket, toErrorResponse(error, { method: 'GET', path: asked.path })),
  );
}

/** Takes the upgrade of `/api/host/{id}/exec`: a shell on the host itself. Never throws. */
export function handleHostTerminalUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
  acceptTerminal({ request, socket, head }, readHostTerminalRequest);
}
