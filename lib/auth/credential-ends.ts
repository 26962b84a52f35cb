import { log } from '@/lib/log';
import { singleton } from '@/lib/singleton';

type Listener = (ids: ReadonlySet<string>) => void;

const listeners = singleton('credential-ends', () => new Set<Listener>());

/** Calls `listener` with the ids of sessions and API tokens that have just ended; the returned function takes it back. */
export function listenToCredentialEnds(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Tells that sessions or API tokens are over, once that is stored: whatever they hold open closes. */
export function tellCredentialEnds(ids: Iterable<string>): void {
  const ended = new Set(ids);
  if (ended.size === 0) return;
  for (const listener of [...listeners]) {
    try {
      listener(ended);
    } catch (error) {
      log.error({ err: error }, 'a listener failed after a session or token ended');
    }
  }
}
