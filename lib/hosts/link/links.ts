import 'server-only';
import { hosts } from '../collection';
import { log } from '@/lib/log';
import type { Mux } from '@/lib/protocol/mux';
import { write } from '@/lib/records/transaction';
import { singleton } from '@/lib/singleton';

/** One host's live link, as the rest of the console needs it. */
export interface HostLink {
  readonly hostId: string;
  readonly mux: Mux;
  /** Ends the socket and every stream over it. */
  close(reason: string): void;
}

/** The links of this process, by host id. */
export const hostLinks = singleton('host-links', () => new Map<string, HostLink>());

/** What went over all links of this process since it started. */
export const linkFrames = () =>
  singleton('link-frames', () => ({ received: 0, receivedBytes: 0, sent: 0, sentBytes: 0 }));

/** Hosts whose link was lost and has not come back. */
export const lostLinks = singleton('lost-host-links', () => new Set<string>());

export function hasLiveLink(hostId: string): boolean {
  return hostLinks.has(hostId);
}

/** Tells a host's agent that there is something new. Without a link it learns so from its next heartbeat. */
export function wakeHost(hostId: string, revision: number): void {
  try {
    hostLinks.get(hostId)?.mux.wake(revision);
  } catch (error) {
    log.warn({ err: error, hostId }, 'a host could not be woken');
  }
}

/** Ends a host's link at once; does nothing when it has none. */
export function closeLink(hostId: string, reason: string): void {
  hostLinks.get(hostId)?.close(reason);
}

/** Asks every agent to come back later, spread over `spreadMs`, and ends the links. For the console's shutdown. */
export function closeAllLinks(spreadMs = 5000): void {
  for (const link of [...hostLinks.values()]) {
    link.mux.goAway(Math.round(Math.random() * spreadMs));
    link.close('The console is stopping');
  }
}

/** Shows on the host's record whether it has a live link, as things are when the write's turn comes. */
export function noteLiveLink(hostId: string): void {
  write((tx) => {
    const engine = tx.get(hosts, hostId)?.engine;
    const liveLink = hasLiveLink(hostId);
    if (engine && engine.liveLink !== liveLink) tx.observe(hosts, hostId, { engine: { ...engine, liveLink } });
  }).catch((error: unknown) => log.warn({ err: error, hostId }, 'the live link could not be noted'));
}
