import 'server-only';
import { AppError } from '@/lib/errors';
import type { MuxStream } from '@/lib/protocol/mux-stream';
import type { OpenStream } from '@/lib/protocol/streams';
import { type HostLink, hostLinks } from './links';

/** The live link to a host. Throws `host_unavailable` when it has none. */
export function requireLiveLink(hostId: string): HostLink {
  const link = hostLinks.get(hostId);
  if (link) return link;
  const message = 'The host has no live link to the console at the moment.';
  throw new AppError('host_unavailable', message, { retryAfterSeconds: 5 });
}

/**
 * Opens a stream to a host over its live link. End it with `cancel` when its reader goes. Throws `host_unavailable` when
 * the host has no live link.
 */
export function openHostStream(hostId: string, open: OpenStream): MuxStream {
  return requireLiveLink(hostId).mux.open(open);
}
