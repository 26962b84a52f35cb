import 'server-only';
import { workspaces } from './collection';
import { openHostStream } from '@/lib/hosts/link/host-link';
import { readLogLines } from './log-lines';
import type { LogLine } from '@/lib/protocol/streams';
import type { Actor } from '@/lib/policies/actor';
import { requireAct } from '@/lib/records/acts';
import { watchAccess } from '@/lib/auth/watch-access';

export interface LogsRequest {
  workspaceId: string;
  /** Lines from the end; null for all. */
  tail: number | null;
  /** The engine's timestamp of the last line that the reader holds; empty for none. */
  since: string;
  follow: boolean;
}

export interface OpenLogs {
  name: string;
  /** Fires when the actor may no longer read them; the lines end then. */
  revoked: AbortSignal;
  /** Batches of lines; returns the host's closing words. Throws `host_unavailable` when the link is lost. */
  lines: AsyncGenerator<LogLine[], string>;
}

/**
 * Opens the log of a workspace at its host until the signal fires, which it must in the end. Throws `not_found` when the
 * actor can't see the workspace and `host_unavailable` when its host has no live link.
 */
export function openWorkspaceLogs(
  actor: Actor,
  { workspaceId, tail, since, follow }: LogsRequest,
  signal: AbortSignal,
): OpenLogs {
  const workspace = requireAct(actor, { collection: workspaces, id: workspaceId, act: 'view' });
  const stream = openHostStream(workspace.host, { kind: 'logs', workspaceId, tail, since, follow });
  const access = watchAccess(actor, { collection: workspaces, id: workspaceId, act: 'view' });
  const close = () => {
    access.stop();
    stream.cancel();
  };
  if (signal.aborted) close();
  else signal.addEventListener('abort', close, { once: true });
  return {
    name: workspace.name,
    revoked: access.signal,
    lines: readLogLines(stream, AbortSignal.any([signal, access.signal])),
  };
}
