import 'server-only';
import { nowMs } from '@/lib/clock';
import type { Outlet } from '@/lib/outlet';
import { newSecret } from '@/lib/ids';
import { guest, type Actor } from '@/lib/policies/actor';
import type { Topic } from './topics';

/** A client that lets more than this pile up is dropped: it reconnects and reads anew. */
const MAX_BUFFERED_CHARS = 1024 * 1024;

/** One open event stream: who listens, to what, and what waits to be sent. */
export class RealtimeClient {
  readonly id = newSecret(40);
  actor: Actor = guest;
  /** The account's token key when it subscribed; a new one ends the identity. */
  tokenKey = '';
  topics: readonly Topic[] = [];
  /** The address it came from; empty where the door does not tell. */
  address = '';
  lastMessageMs = nowMs();

  constructor(
    private readonly outlet: Outlet,
    onClose: (client: RealtimeClient) => void,
  ) {
    outlet.onClosed(() => onClose(this));
    this.send('PB_CONNECT', JSON.stringify({ clientId: this.id }));
  }

  /** Sends one event; `data` has no line breaks. */
  send(event: string, data: string): void {
    this.lastMessageMs = nowMs();
    this.push(`id:${this.id}\nevent:${event}\ndata:${data}\n\n`);
  }

  /** A comment, so that proxies keep the connection. */
  ping(): void {
    this.push(':\n\n');
  }

  close(): void {
    this.outlet.end();
  }

  private push(text: string): void {
    if (this.outlet.waiting + text.length > MAX_BUFFERED_CHARS) this.outlet.destroy();
    else this.outlet.write(text);
  }
}
