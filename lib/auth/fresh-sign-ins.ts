import 'server-only';
import { limits } from '@/lib/vocabulary/limits';
import { shortLived } from './short-lived';

const recent = () => shortLived<true>('sign-ins', { lifeMs: limits.freshSignInSeconds * 1000, max: 10_000 });

/** A token's signature is as good a name as the whole. */
function nameOf(token: string): string {
  return token.slice(token.lastIndexOf('.') + 1);
}

/** Remembers that the token was given to someone who has just proven who they are; refreshed ones are not. */
export function noteSignIn(token: string): void {
  recent().put(nameOf(token), true);
}

/** A session that begins with the token of a fresh sign-in is fresh itself. */
export function passSignInOn(authorization: string, sessionId: string): void {
  if (recent().take(nameOf(authorization))) recent().put(sessionId, true);
}

/** Whether the session began with a sign-in some minutes ago. */
export function isFreshSession(sessionId: string): boolean {
  return recent().get(sessionId) === true;
}
