import 'server-only';
import { nowMs } from '@/lib/clock';
import { limits } from '@/lib/vocabulary/limits';
import { readClaims } from './tokens';

/** A moment as tokens keep it. */
export function inSeconds(ms: number): number {
  return Math.floor(ms / 1000);
}

/** When the holder of a proven administration token, or of a file token made with it, last proved who they are; 0 when it says nothing. */
export function provenAt(authorization: string): number {
  const at = readClaims(authorization.replace(/^Bearer /, ''))?.at;
  return typeof at === 'number' ? at : 0;
}

/** Whether that was some minutes ago at most. */
export function isFreshProof(at: number): boolean {
  return inSeconds(nowMs()) - at <= limits.freshSignInSeconds;
}
