import 'server-only';
import { hosts, type HostRow } from '../collection';
import { refreshHostObject } from '../host-spec';
import { takeUsage } from '../thresholds/take-usage';
import { nowMs, toWireDate } from '@/lib/clock';
import type { HostEngine, HostResources } from '@/lib/vocabulary/host';
import type { HeartbeatAnswer, HeartbeatRequest } from '@/lib/protocol/calls';
import { spokenHere } from '@/lib/protocol/version';
import { type StoreReader, write } from '@/lib/records/transaction';
import { tryOpen } from '@/lib/secrets';
import { singleton } from '@/lib/singleton';
import { forgetApplied } from './desired';
import { getIdentity, markSeen, outrunRevision } from './host-identities';
import { withHolders } from './held-gpus';
import { claimInstance } from './instances';
import { hasLiveLink } from './links';
import { refusal } from './refusals';

/** A beat without news is shown to open pages this often at most, however often the agent beats. */
const ANNOUNCE_EVERY_MS = 5000;

/** How far a host may be ahead of its console with one heartbeat. */
const REVISIONS_AHEAD_MAX = 1_000_000;

/** When listeners last heard of each host's heartbeat. One small entry a host. */
const announcedAtMs = singleton('announced-heartbeats', () => new Map<string, number>());

function isAnnouncementDue(hostId: string, now: number): boolean {
  return now - (announcedAtMs.get(hostId) ?? 0) >= ANNOUNCE_EVERY_MS;
}

/**
 * Takes a heartbeat: the host is online, and its record is changed only where the agent has news; other beats are shown to
 * listeners every few seconds. Throws the refusals `unknownHost` and `duplicateInstance`.
 */
export function takeHeartbeat(hostId: string, beat: HeartbeatRequest): Promise<HeartbeatAnswer> {
  return write((tx) => {
    const { host, identity } = requireHost(tx, hostId);
    claimInstance(tx, identity, beat, host.heartbeat_interval_seconds);
    const now = nowMs();
    const wireDate = toWireDate(now);
    const news = newsOf(host, beat, withHolders(tx, hostId, beat.resources));
    const at = { ms: now, wireDate, lastSeenMs: identity.lastSeenMs };
    const crossed = takeUsage(tx, host, { beat, now: at });
    if (news || crossed.alarms) tx.observe(hosts, hostId, { ...news, ...crossed, lastHeartbeat: wireDate });
    else if (isAnnouncementDue(hostId, now)) tx.announce(hosts, { ...host, lastHeartbeat: wireDate });
    if (tx.changes.length > 0) tx.afterCommit.push(() => announcedAtMs.set(hostId, now));
    // The console's own address may have changed, or the console since.
    refreshHostObject(tx, host);
    const { versions } = beat;
    // A restored console is behind; one that is told of more than it can have been holds on to its own count.
    const appliedRevision = Math.min(beat.appliedRevision, identity.revision + REVISIONS_AHEAD_MAX);
    if (appliedRevision > identity.revision) outrunRevision(tx, hostId, appliedRevision);
    markSeen(tx, hostId, { nowMs: now, wireDate, appliedRevision, protocol: versions.protocol });
    forgetApplied(tx, hostId, appliedRevision);
    return {
      now,
      revision: getIdentity(hostId)!.revision,
      heartbeatIntervalSeconds: Math.max(1, host.heartbeat_interval_seconds),
      reconciliationIntervalSeconds: Math.max(1, host.reconciliation_interval_seconds),
      ...spokenHere,
    };
  });
}

/** The host's record and identity. Throws `unknownHost` when it was removed after the proof was checked. */
export function requireHost(reader: StoreReader, hostId: string) {
  const host = reader.get(hosts, hostId);
  const identity = getIdentity(hostId);
  if (!host || !identity) throw refusal('unknownHost', 'This host was removed.');
  return { host, identity };
}

function engineOf(hostId: string, beat: HeartbeatRequest): HostEngine {
  return {
    kind: beat.engine.kind,
    version: beat.versions.engine,
    apiVersion: beat.versions.engineApi,
    buildKit: beat.capabilities.buildKit,
    runtimes: beat.capabilities.runtimes,
    reachable: beat.engine.reachable,
    message: beat.engine.message,
    liveLink: hasLiveLink(hostId),
    protocol: beat.versions.protocol,
    ...(beat.bindRoots && { bindRoots: beat.bindRoots }),
    ...(beat.hostTerminal && { terminal: beat.hostTerminal }),
  };
}

/** What of the host's record a heartbeat changes; undefined when nothing that anyone would notice. */
function newsOf(host: HostRow, beat: HeartbeatRequest, resources: HostResources): Partial<HostRow> | undefined {
  const told = {
    status: 'online',
    statusMessage: beat.engine.message || describeUnreadable(host),
    agentVersion: beat.versions.agent,
    os: beat.os,
    platform: beat.platform,
    engine: engineOf(host.id, beat),
  };
  const isSame = Object.entries(told).every(
    ([key, value]) => JSON.stringify(host[key as keyof HostRow]) === JSON.stringify(value),
  );
  return isSame && !hasOtherResources(host.resources, resources) ? undefined : { ...told, resources };
}

/** Names the registry accounts whose passwords can't be opened: the agent goes without them. */
function describeUnreadable({ registry_auths }: HostRow): string {
  const lost = (registry_auths ?? []).filter(({ password }) => tryOpen(password) === undefined);
  if (lost.length === 0) return '';
  const names = lost.map(({ username, serveraddress }) => `${username} at ${serveraddress}`).join(', ');
  return `The password of ${names} can't be read: it was sealed with another secret, or damaged. Enter it again.`;
}

/** Free disk space always moves a little: a hundredth of the disk is news. */
function hasOtherResources(held: HostResources | null, told: HostResources): boolean {
  if (!held || Math.abs(held.diskFreeBytes - told.diskFreeBytes) > told.diskBytes / 100) return true;
  return JSON.stringify({ ...held, diskFreeBytes: 0 }) !== JSON.stringify({ ...told, diskFreeBytes: 0 });
}
