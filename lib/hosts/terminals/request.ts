import 'server-only';
import { z } from 'zod';
import { watchAccess } from '@/lib/auth/watch-access';
import { AppError } from '@/lib/errors';
import type { UpgradeHead } from '@/lib/http/web-socket';
import { type Actor, credentialOf } from '@/lib/policies/actor';
import { requireAct } from '@/lib/records/acts';
import { hosts, type HostRow } from '../collection';
import { requireLiveLink } from '../link/host-link';
import { readTerminalActor, takeTerminalPlace, type TerminalRequest, terminalQuery, toOpening } from './opening';

const PATH = /^\/api\/host\/([a-z0-9]{15})\/exec\/?$/;

const querySchema = z.object(terminalQuery);

export function isHostTerminalPath(path: string): boolean {
  return PATH.test(path);
}

/**
 * Who asks for which shell of a host. Throws an AppError as `requireHostTerminal` does, `forbidden` for pages of elsewhere,
 * `invalid` for a bad query, `rate_limited`, and `host_unavailable`.
 */
export async function readHostTerminalRequest(head: UpgradeHead): Promise<TerminalRequest> {
  const actor = await readTerminalActor(head);
  const [, hostId = ''] = PATH.exec(head.path) ?? [];
  const host = requireHostTerminal(actor, hostId);
  const query = querySchema.parse(Object.fromEntries(head.query));
  takeTerminalPlace(actor);
  requireLiveLink(host.id);
  return {
    actor,
    hostId: host.id,
    open: { kind: 'hostShell', ...toOpening(actor, query) },
    watch: () => watchAccess(actor, { collection: hosts, id: host.id, act: 'openTerminal' }),
    audited: {
      begin: 'host.openTerminal',
      leave: 'host.leaveTerminal',
      on: { collection: 'hosts', record: host.id, name: host.name },
      details: {},
    },
  };
}

/**
 * The host, for whoever may open a shell on it. Throws `unauthenticated`, `not_found`, `forbidden` for all but admins and
 * for API tokens, and `conflict` with the reason where the host's agent gives none.
 */
export function requireHostTerminal(actor: Actor, hostId: string): HostRow {
  if (actor.kind === 'guest') throw new AppError('unauthenticated', 'The request requires a logged-in user.');
  const host = requireAct(actor, { collection: hosts, id: hostId, act: 'openTerminal' });
  if (credentialOf(actor)?.kind === 'apiToken') {
    throw new AppError('forbidden', 'An API token opens no terminal on a host. Log in instead.');
  }
  const reason = describeNoTerminal(host);
  if (reason !== '') throw new AppError('conflict', reason);
  return host;
}

/** Why a host gives no terminal; empty where it does. */
function describeNoTerminal({ name, engine }: HostRow): string {
  const terminal = engine?.terminal;
  if (!terminal) return `The agent on host ${name} is too old for terminals on the host itself: update it.`;
  if (!terminal.isOn)
    return `The agent on host ${name} was not started with BERTH_HOST_TERMINAL=1: it gives no terminal.`;
  return terminal.problem;
}
