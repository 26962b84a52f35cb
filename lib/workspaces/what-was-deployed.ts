import 'server-only';
import { AppError, NOT_FOUND_MESSAGE } from '@/lib/errors';
import { getDesired } from '@/lib/hosts/link/desired';
import type { Actor } from '@/lib/policies/actor';
import { requireAct } from '@/lib/records/acts';
import { StoreReader } from '@/lib/records/transaction';
import { workspaceKind } from './at-host';
import { showChanges, showValue, wantedSpec } from './changes';
import { workspaces } from './collection';
import { deployments } from './deployments';
import { readKeptSpec, readSpecBefore, withoutSecrets } from './kept-specs';
import { settingsOf, type SpecChange, type StoredWorkspaceSpec, uncomparedParts } from './spec';

export interface WhatWasDeployed {
  number: number;
  /** Null when nothing was sent to the host, or when the deployment is older than such notes. */
  settings: { field: string; value: unknown }[] | null;
  other: Record<string, unknown> | null;
  before: { number: number; changed: SpecChange[] } | null;
  now: { changed: SpecChange[] } | null;
}

/**
 * What a deployment asked its host to run, and how that differs from the one before it and from the settings of now. Secret
 * values are masked. Throws `not_found` for a workspace that the actor can't see.
 */
export function findWhatWasDeployed(
  actor: Actor,
  { workspaceId, deploymentId }: { workspaceId: string; deploymentId: string },
): WhatWasDeployed {
  const reader = new StoreReader();
  const workspace = requireAct(actor, { collection: workspaces, id: workspaceId, act: 'view', reader });
  const deployment = reader.get(deployments, deploymentId);
  if (deployment?.workspace !== workspaceId) throw new AppError('not_found', NOT_FOUND_MESSAGE);
  const { number } = deployment;
  const spec = readKeptSpec(deploymentId);
  if (!spec) return { number, settings: null, other: null, before: null, now: null };
  const before = readSpecBefore(workspaceId, number);
  const now = wantedSpec(reader, workspace, getDesired(workspaceKind, workspace.host, workspaceId)?.spec);
  return {
    number,
    settings: settingsOf(spec).map(({ field, value }) => ({ field, value: showValue(reader, field, value) })),
    other: otherParts(spec),
    before: before ? { number: before.number, changed: showChanges(reader, before.spec, spec) } : null,
    now: now ? { changed: showChanges(reader, spec, withoutSecrets(now)) } : null,
  };
}

/** What nobody sets by itself: the console's own counts, and what follows from the host. */
function otherParts(spec: StoredWorkspaceSpec): Record<string, unknown> {
  const { tag, pull, pullTimeoutMs } = spec.image;
  const parts = Object.fromEntries(uncomparedParts.map((part) => [part, spec[part]]));
  return { ...parts, image: { tag, pull, pullTimeoutMs } };
}
