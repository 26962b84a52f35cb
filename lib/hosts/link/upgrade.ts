import 'server-only';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { acceptAgentLink, AGENT_LINK_PATH } from './agent-link';
import { toErrorResponse } from '@/lib/http/error-response';

/** Takes over the upgrade of an agent's live link; whatever is wrong is answered on the socket as JSON. Never throws. */
export function handleAgentUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
  acceptAgentLink(request, socket, head, (error) => toErrorResponse(error, { method: 'GET', path: AGENT_LINK_PATH }));
}
