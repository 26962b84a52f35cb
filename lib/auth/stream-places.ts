import 'server-only';
import { env } from '@/lib/env';
import { AppError } from '@/lib/errors';
import type { StreamScope } from '@/lib/http/sse';
import { actorUserId, type Actor } from '@/lib/policies/actor';
import { singleton } from '@/lib/singleton';

const taken = () => singleton('stream-places', () => new Map<string, number>());

/** A place among the streams of the account until the scope ends, which it does at once where there is none: AppError `rate_limited`. */
export function takeStreamPlace(actor: Actor, scope: StreamScope): void {
  const [places, who] = [taken(), actorUserId(actor)];
  const count = places.get(who) ?? 0;
  if (count >= env().streamsPerAccount) {
    scope.end();
    const message = 'Too many streams are open. Please close some.';
    throw new AppError('rate_limited', message, { retryAfterSeconds: 30 });
  }
  places.set(who, count + 1);
  const leave = (): void => {
    const left = (places.get(who) ?? 1) - 1;
    if (left === 0) places.delete(who);
    else places.set(who, left);
  };
  if (scope.signal.aborted) leave();
  else scope.signal.addEventListener('abort', leave, { once: true });
}
