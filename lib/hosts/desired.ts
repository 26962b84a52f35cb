import 'server-only';
import { nowMs } from '@/lib/clock';
import type { StoredWorkspaceSpec } from '@/lib/domain/workspace-spec';
import type { DesiredAnswer } from '@/lib/protocol/calls';
import type { DesiredKind, DesiredObject, HostSpec, JobSpec, WorkspaceSpec } from '@/lib/protocol/spec';
import type { WriteTransaction } from '@/lib/records/transaction';
import { open } from '@/lib/secrets';
import { getObject, listObjects, listObjectsSince, putObject, type StoredObject } from '@/lib/stores/desired-objects';
import { getIdentity, raiseRevision } from '@/lib/stores/host-identities';
import { wakeHost } from './links';

interface DesiredSpecs {
  workspace: StoredWorkspaceSpec;
  job: JobSpec;
  host: HostSpec;
}

/** Sets what a host is to hold, or with null that it is to go, and wakes the host once that has committed. */
export function putDesired<K extends DesiredKind>(
  tx: WriteTransaction,
  object: { hostId: string; kind: K; objectId: string; spec: DesiredSpecs[K] | null },
): void {
  const revision = raiseRevision(tx, object.hostId);
  putObject(tx, { ...object, revision });
  tx.afterCommit.push(() => wakeHost(object.hostId, revision));
}

/** What a host was last asked to hold of a kind: undefined when nothing, `spec` null when it is to go. Secrets are sealed. */
export function getDesired<K extends DesiredKind>(
  hostId: string,
  kind: K,
  objectId: string,
): { spec: DesiredSpecs[K] | null; revision: number } | undefined {
  return getObject(hostId, kind, objectId) as { spec: DesiredSpecs[K] | null; revision: number } | undefined;
}

/**
 * What an agent that holds `since` has to change. Everything when it holds nothing, more than the console knows of, or
 * less than the tombstones that are kept; undefined when it is up to date.
 */
export function readDesired(hostId: string, since: number): DesiredAnswer | undefined {
  const identity = getIdentity(hostId);
  const revision = identity?.revision ?? 0;
  if (since === revision && since > 0) return undefined;
  const full = since <= 0 || since > revision || since < (identity?.prunedRevision ?? 0);
  const objects = full ? listObjects(hostId) : listObjectsSince(hostId, since);
  return { now: nowMs(), revision, full, objects: objects.map(toDesiredObject) };
}

/** The object as the agent reads it, secrets opened. */
function toDesiredObject({ kind, objectId, revision, spec }: StoredObject): DesiredObject {
  const base = { id: objectId, revision };
  if (spec === null) return { kind, ...base, spec };
  if (kind === 'workspace') return { kind, ...base, spec: openWorkspaceSpec(spec as StoredWorkspaceSpec) };
  if (kind === 'host') return { kind, ...base, spec: openHostSpec(spec as HostSpec) };
  return { kind, ...base, spec: spec as JobSpec };
}

function openWorkspaceSpec(spec: StoredWorkspaceSpec): WorkspaceSpec {
  const environment = spec.environment.map(({ name, value, secret }) => ({
    name,
    value: secret ? open(value) : value,
  }));
  return { ...spec, environment };
}

function openHostSpec(spec: HostSpec): HostSpec {
  return { ...spec, registryAuths: spec.registryAuths.map((auth) => ({ ...auth, password: open(auth.password) })) };
}
