import 'server-only';
import { requestActor } from '@/lib/auth/actor';
import { AppError } from '@/lib/errors';
import type { RequestContext } from '@/lib/http/context';
import type { Actor } from '@/lib/policies/actor';
import { requireAct } from '@/lib/records/acts';
import { hosts, type HostRow } from './collection';

/** Throws `unauthenticated` for a guest. */
export function requireSignedIn(context: RequestContext): Actor {
  const actor = requestActor(context);
  if (actor.kind === 'guest') throw new AppError('unauthenticated', 'The request requires a logged-in user.');
  return actor;
}

/** The host, for whoever may see it. Throws `unauthenticated` and `not_found`. */
export function requireView(context: RequestContext): HostRow {
  const actor = requireSignedIn(context);
  return requireAct(actor, { collection: hosts, id: context.params.id ?? '', act: 'view' });
}

/** The host, for whoever may change it. Throws `unauthenticated`, `not_found` and `forbidden`. */
export function requireModify(context: RequestContext): HostRow {
  const actor = requireSignedIn(context);
  return requireAct(actor, { collection: hosts, id: context.params.id ?? '', act: 'modify' });
}
