import 'server-only';
import { workspaces } from './collection';
import { fieldError } from '@/lib/errors';
import { hosts } from '@/lib/hosts/collection';
import { openHostStream } from '@/lib/hosts/link/host-link';
import { readLogEvents } from './log-lines';
import type { LogEvent, OpenLogRange, OpenLogs, OpenLogSearch } from '@/lib/protocol/streams';
import type { Actor } from '@/lib/policies/actor';
import { requireAct } from '@/lib/records/acts';
import { StoreReader } from '@/lib/records/transaction';
import { watchAccess } from '@/lib/auth/watch-access';

/** What is read of a workspace's log: its lines as they come, a range by number, or the lines that match. */
export type LogsRequest = OpenLogs | OpenLogRange | OpenLogSearch;

export interface OpenWorkspaceLogs {
  name: string;
  /** Fires when the actor may no longer read them; the lines end then. */
  revoked: AbortSignal;
  /** Batches of lines and of news; returns the host's closing words. Throws `host_unavailable` when the link is lost. */
  events: AsyncGenerator<LogEvent[], string>;
}

/** The first version of the agent's words in which a log is read up to a moment. */
const PROTOCOL_WITH_ENDS = 5;

function requireEnds(hostId: string): void {
  const host = new StoreReader().get(hosts, hostId);
  if ((host?.engine?.protocol ?? PROTOCOL_WITH_ENDS) >= PROTOCOL_WITH_ENDS) return;
  const message = `The agent on host ${host?.name} is too old to end a log at a time: update it.`;
  throw fieldError('until', 'validation_agent_too_old', message);
}

/**
 * Opens the log of a workspace at its host until the signal fires, which it must in the end. Throws `not_found` when the
 * actor can't see the workspace, `invalid` when its agent can't do what is asked, and `host_unavailable` when its host has no live link.
 */
export function openWorkspaceLogs(actor: Actor, request: LogsRequest, signal: AbortSignal): OpenWorkspaceLogs {
  const id = request.workspaceId;
  const workspace = requireAct(actor, { collection: workspaces, id, act: 'view' });
  if (request.kind === 'logs' && request.until !== '') requireEnds(workspace.host);
  const stream = openHostStream(workspace.host, request);
  const access = watchAccess(actor, { collection: workspaces, id, act: 'view' });
  const close = () => {
    access.stop();
    stream.cancel();
  };
  if (signal.aborted) close();
  else signal.addEventListener('abort', close, { once: true });
  return {
    name: workspace.name,
    revoked: access.signal,
    events: readLogEvents(stream, AbortSignal.any([signal, access.signal])),
  };
}
