import { AppError } from '@/lib/errors';

/** What a caller is known by where that can end alone: a browser's session, or an API token. */
export type Credential =
  | { readonly kind: 'session'; readonly id: string }
  | { readonly kind: 'apiToken'; readonly id: string; readonly scope: 'read' | 'full' };

/** Where a call came from and how its caller was known: for the audit log. */
export interface CallOrigin {
  readonly address: string;
  readonly userAgent: string;
  /** `session` is a token that belongs to a browser's session, `token` one of a client's own. */
  readonly via: 'session' | 'token' | 'apiToken' | 'admin';
}

interface Caller {
  readonly id: string;
  /** Of calls that may change something; absent on reads. */
  readonly from?: CallOrigin;
  /** Absent where the account's token key alone decides how long the caller is known. */
  readonly by?: Credential;
}

/**
 * Who asks. `user` is a signed-in person; `admin` holds the token that opens the administration endpoints; `system` is the
 * console itself and is never made from a request.
 */
export type Actor =
  | { readonly kind: 'guest' }
  | (Caller & { readonly kind: 'user'; readonly isAdmin: boolean })
  | (Caller & { readonly kind: 'admin' })
  | { readonly kind: 'system' };

export const guest: Actor = { kind: 'guest' };
export const system: Actor = { kind: 'system' };

/** Whether every rule is open to the actor. */
export function hasFullAccess(actor: Actor): boolean {
  return actor.kind === 'system' || actor.kind === 'admin' || (actor.kind === 'user' && actor.isAdmin);
}

/** The user's id behind the actor; empty for guests and the console itself. */
export function actorUserId(actor: Actor): string {
  return actor.kind === 'user' || actor.kind === 'admin' ? actor.id : '';
}

/** The session or API token that the actor is known by, if any. */
export function credentialOf(actor: Actor): Credential | undefined {
  return actor.kind === 'user' || actor.kind === 'admin' ? actor.by : undefined;
}

/** How a caller is known, for the audit log. */
export function wayOf(actor: Actor): CallOrigin['via'] {
  return actor.kind === 'admin' ? 'admin' : (credentialOf(actor)?.kind ?? 'token');
}

/** Throws AppError `forbidden` for API tokens: what secures an account is for whoever signs in to it. */
export function refuseApiToken(actor: Actor, what = 'how an account is secured'): void {
  if (credentialOf(actor)?.kind !== 'apiToken') return;
  throw new AppError('forbidden', `An API token can not change ${what}. Log in instead.`);
}
