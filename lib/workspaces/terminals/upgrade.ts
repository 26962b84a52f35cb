import 'server-only';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { toErrorResponse } from '@/lib/http/error-response';
import { headOfUpgrade, refuseUpgrade } from '@/lib/http/web-socket';
import { log } from '@/lib/log';
import { singleton } from '@/lib/singleton';
import { isTerminalPath, readTerminalRequest } from './request';
import { ViewerSocket } from './viewer-socket';

export { isTerminalPath };

/** A page sends what is pasted in parts of this size at most. */
const MESSAGE_BYTES = 64 * 1024;

const server = () =>
  singleton(
    'terminal-server',
    () => new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: MESSAGE_BYTES }),
  );

/**
 * Takes the upgrade of `/api/workspace/{id}/exec` or `/attach`: a new session, or the one that `session` names. What is
 * refused is answered on the socket as the record API would. Never throws.
 */
export function handleTerminalUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
  socket.on('error', (error) => log.debug({ err: error }, 'an upgrading socket failed'));
  const asked = headOfUpgrade(request);
  readTerminalRequest(asked).then(
    (terminal) => {
      server().handleUpgrade(request, socket, head, (webSocket) => {
        const origin = { address: asked.address, userAgent: asked.header('user-agent') };
        new ViewerSocket(webSocket, terminal, origin).start();
      });
    },
    (error: unknown) => refuseUpgrade(socket, toErrorResponse(error, { method: 'GET', path: asked.path })),
  );
}
