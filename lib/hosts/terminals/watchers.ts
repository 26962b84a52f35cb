import 'server-only';
import { singleton } from '@/lib/singleton';
import type { Watcher } from '@/lib/vocabulary/terminal';

/** One socket on a session, as the others on it need it. */
export interface Watching {
  readonly who: Watcher;
  /** Told anew whenever somebody comes or goes. */
  onChange(people: Watcher[], place: number): void;
}

const sessions = () => singleton('terminal-watchers', () => new Map<string, Set<Watching>>());

/** Adds a socket to a session; returns what takes it away. */
export function watchSession(session: string, watching: Watching): () => void {
  const all = sessions().get(session) ?? new Set();
  sessions().set(session, all.add(watching));
  tell(all);
  return () => {
    if (!all.delete(watching)) return;
    if (all.size === 0 && sessions().get(session) === all) sessions().delete(session);
    tell(all);
  };
}

/** Sockets that an account has open. */
export function countWatched(userId: string): number {
  let count = 0;
  for (const all of sessions().values()) for (const { who } of all) if (who.id === userId) count += 1;
  return count;
}

function tell(all: Set<Watching>): void {
  const people = [...all].map(({ who }) => who);
  [...all].forEach((watching, place) => watching.onChange(people, place));
}
