import type { HostRow } from './collection';

/** What a record waits for until its host acts: shown as its status message. */
export function waitMessage(host: Pick<HostRow, 'name' | 'status' | 'lastHeartbeat'>): string {
  if (host.status === 'online') return `Waiting for host ${host.name}`;
  const seen = host.lastHeartbeat === '' ? 'never seen yet' : `last seen ${host.lastHeartbeat}`;
  return `Waiting for host ${host.name}, ${seen}`;
}
