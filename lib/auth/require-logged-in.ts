import 'server-only';
import { AppError } from '@/lib/errors';
import type { RequestContext } from '@/lib/http/context';
import type { Actor } from '@/lib/policies/actor';
import { requestActor } from './actor';

/** Who sends the request. Throws AppError `unauthenticated` for a guest. */
export function requireLoggedIn(context: RequestContext): Actor {
  const actor = requestActor(context);
  if (actor.kind === 'guest') throw new AppError('unauthenticated', 'The request requires a logged-in user.');
  return actor;
}
