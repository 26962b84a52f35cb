import 'server-only';
import { requireLoggedIn } from '@/lib/auth/require-logged-in';
import type { RequestContext } from '@/lib/http/context';
import { requireAct } from '@/lib/records/acts';
import { hosts, type HostRow } from './collection';

/** The host, for whoever may see it. Throws `unauthenticated` and `not_found`. */
export function requireView(context: RequestContext): HostRow {
  const actor = requireLoggedIn(context);
  return requireAct(actor, { collection: hosts, id: context.params.id ?? '', act: 'view' });
}

/** The host, for whoever may change it. Throws `unauthenticated`, `not_found` and `forbidden`. */
export function requireModify(context: RequestContext): HostRow {
  const actor = requireLoggedIn(context);
  return requireAct(actor, { collection: hosts, id: context.params.id ?? '', act: 'modify' });
}
