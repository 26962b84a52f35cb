import 'server-only';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { acceptTerminal } from '@/lib/hosts/terminals/upgrade';
import { isTerminalPath, readTerminalRequest } from './request';

export { isTerminalPath };

/**
 * Takes the upgrade of `/api/workspace/{id}/exec` or `/attach`: a new session, or the one that `session` names. Never throws.
 */
export function handleTerminalUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
  acceptTerminal({ request, socket, head }, readTerminalRequest);
}
