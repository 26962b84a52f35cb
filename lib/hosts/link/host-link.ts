import 'server-only';
import { AppError } from '@/lib/errors';
import type { MuxStream } from '@/lib/protocol/mux-stream';
import type { OpenStream } from '@/lib/protocol/streams';
import { hostLinks } from './links';

/**
 * Opens a stream to a host over its live link. End it with `cancel` when its reader goes. Throws `host_unavailable` when
 * the host has no live link.
 */
export function openHostStream(hostId: string, open: OpenStream): MuxStream {
  const link = hostLinks.get(hostId);
  if (!link) {
    throw new AppError(
      'host_unavailable',
      'The host of this workspace has no live link to the console at the moment.',
      {
        retryAfterSeconds: 5,
      },
    );
  }
  return link.mux.open(open);
}
