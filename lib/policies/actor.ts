/**
 * Who asks. `user` is a signed-in person; `admin` holds the token that opens the administration endpoints; `system` is the
 * console itself and is never made from a request.
 */
export type Actor =
  | { readonly kind: 'guest' }
  | { readonly kind: 'user'; readonly id: string; readonly isAdmin: boolean }
  | { readonly kind: 'admin'; readonly id: string }
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
