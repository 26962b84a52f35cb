import 'server-only';
import { requestActor } from './actor';
import { AppError } from '@/lib/errors';
import type { RequestContext } from '@/lib/http/context';
import { hasFullAccess, type Actor } from '@/lib/policies/actor';

export type AdminActor = Extract<Actor, { kind: 'admin' }>;

/** Throws AppError `unauthenticated` unless the caller holds the administration token. */
export function requireAdmin(context: RequestContext): AdminActor {
  const actor = requestActor(context);
  if (actor.kind === 'admin') return actor;
  throw new AppError('unauthenticated', 'The request requires valid admin authorization token to be set.');
}

/** For people with isAdmin, who hold an ordinary token. Throws AppError `unauthenticated` or `forbidden`. */
export function requireFullAccess(context: RequestContext): Actor {
  const actor = requestActor(context);
  if (actor.kind === 'guest') throw new AppError('unauthenticated', 'Log in first.');
  if (!hasFullAccess(actor)) throw new AppError('forbidden', 'You are not allowed to perform this request.');
  return actor;
}
