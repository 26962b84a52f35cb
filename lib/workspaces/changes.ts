import 'server-only';
import { hosts } from '@/lib/hosts/collection';
import { images } from '@/lib/images/collection';
import { workspaces } from './collection';
import type { EnvironmentVariable } from '@/lib/vocabulary/workspace';
import { buildWorkspaceSpec, compareWorkspaceSpecs, type SpecChange, type StoredWorkspaceSpec } from './spec';
import { getDesired } from '@/lib/hosts/link/desired';
import { workspaceKind } from './at-host';
import type { Actor } from '@/lib/policies/actor';
import { StoreReader } from '@/lib/records/transaction';
import { tryOpen } from '@/lib/secrets';
import { requireAct } from '@/lib/records/acts';

const MASK = '••••••••';

/** The spec with the values of its secrets readable, for comparing. Never let it leave. */
export function openSpecSecrets(spec: StoredWorkspaceSpec): StoredWorkspaceSpec {
  const environment = spec.environment.map((entry) =>
    entry.secret ? { ...entry, value: tryOpen(entry.value) ?? '' } : entry,
  );
  return { ...spec, environment };
}

/**
 * What a redeploy would change, field by field, secrets masked. Empty when nothing was changed or nothing is deployed.
 * Throws `not_found` for a workspace that the actor can't see.
 */
export function findWorkspaceChanges(actor: Actor, workspaceId: string): { changed: SpecChange[] } {
  const reader = new StoreReader();
  const workspace = requireAct(actor, { collection: workspaces, id: workspaceId, act: 'view', reader });
  const deployed = getDesired(workspaceKind, workspace.host, workspaceId)?.spec;
  const image = reader.get(images, workspace.image);
  const host = reader.get(hosts, workspace.host);
  if (!deployed || !image || !host) return { changed: [] };
  const wanted = buildWorkspaceSpec(workspace, image, host, deployed);
  const changed = compareWorkspaceSpecs(openSpecSecrets(deployed), openSpecSecrets(wanted));
  return { changed: changed.map(maskChange) };
}

function maskChange(change: SpecChange): SpecChange {
  if (change.field !== 'environmentVariables') return change;
  return { ...change, from: maskSecrets(change.from), to: maskSecrets(change.to) };
}

function maskSecrets(environment: unknown): EnvironmentVariable[] {
  return (environment as EnvironmentVariable[]).map((entry) => (entry.secret ? { ...entry, value: MASK } : entry));
}
