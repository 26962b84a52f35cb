import 'server-only';
import { hosts } from '@/lib/hosts/collection';
import { images } from '@/lib/images/collection';
import { asOfBuild } from '@/lib/images/good-build';
import { readOwnName } from '@/lib/protocol/image-names';
import { imageReference } from '@/lib/vocabulary/image-reference';
import { type WorkspaceRow, workspaces } from './collection';
import type { EnvironmentVariable } from '@/lib/vocabulary/workspace';
import type { RouteSpec } from '@/lib/protocol/specs/route';
import { mapHashes, routesOf } from './routes-of';
import { openHash } from './url-passwords';
import { buildWorkspaceSpec, compareWorkspaceSpecs, type SpecChange, type StoredWorkspaceSpec } from './spec';
import { getDesired } from '@/lib/hosts/link/desired';
import { workspaceKind } from './at-host';
import { imageTagOf } from './image-tag';
import { keptPorts } from './picked-ports';
import type { Actor } from '@/lib/policies/actor';
import { canTakeNewer, findStopFirstReasons, type StopFirst } from './redeploy-options';
import { StoreReader } from '@/lib/records/transaction';
import { tryOpen } from '@/lib/secrets';
import { requireAct } from '@/lib/records/acts';

const MASK = '••••••••';

/** The spec with the values of its secrets readable, for comparing. Never let it leave. */
export function openSpecSecrets(spec: StoredWorkspaceSpec): StoredWorkspaceSpec {
  const environment = spec.environment.map((entry) =>
    entry.secret ? { ...entry, value: tryOpen(entry.value) ?? '' } : entry,
  );
  // Older consoles stored specs without them.
  const routes = mapHashes(spec.routes ?? [], (hash) => openHash(hash) ?? '');
  return { ...spec, environment, routes };
}

/** What a redeploy would ask of the host now, as the same try as what it holds; undefined where a part is gone. */
export function wantedSpec(
  reader: StoreReader,
  workspace: WorkspaceRow,
  deployed: StoredWorkspaceSpec | null | undefined,
): StoredWorkspaceSpec | undefined {
  const image = reader.get(images, workspace.image);
  const host = reader.get(hosts, workspace.host);
  if (!image || !host) return undefined;
  return buildWorkspaceSpec(workspace, asOfBuild(reader, image, workspace.imageBuild), host, {
    generation: deployed?.generation ?? 0,
    attempt: deployed?.attempt ?? 0,
    tag: imageTagOf(reader, { workspace, image, generation: 0, pull: false, deployed: undefined }),
    ports: keptPorts(workspace, deployed),
    routes: routesOf(reader, workspace.externalUrls),
  });
}

export interface WorkspaceChanges {
  changed: SpecChange[];
  stopFirst: StopFirst[];
  canPull: boolean;
}

/**
 * What a redeploy would change, field by field, secrets masked, with what speaks for stopping the old container first and
 * whether a newer image can be asked for. Empty when nothing was changed or nothing is deployed.
 * Throws `not_found` for a workspace that the actor can't see.
 */
export function findWorkspaceChanges(actor: Actor, workspaceId: string): WorkspaceChanges {
  const reader = new StoreReader();
  const workspace = requireAct(actor, { collection: workspaces, id: workspaceId, act: 'view', reader });
  const image = reader.get(images, workspace.image);
  const canPull = image !== undefined && canTakeNewer(image);
  const deployed = getDesired(workspaceKind, workspace.host, workspaceId)?.spec;
  const wanted = deployed && wantedSpec(reader, workspace, deployed);
  if (!deployed || !wanted) return { changed: [], stopFirst: [], canPull };
  return {
    changed: showChanges(reader, openSpecSecrets(deployed), openSpecSecrets(wanted)),
    stopFirst: findStopFirstReasons(workspace, deployed, wanted),
    canPull,
  };
}

/** What differs between two specs as people may see it: images by name, secrets masked. */
export function showChanges(reader: StoreReader, from: StoredWorkspaceSpec, to: StoredWorkspaceSpec): SpecChange[] {
  return compareWorkspaceSpecs(from, to).map(({ field, ...values }) => ({
    field,
    from: showValue(reader, field, values.from),
    to: showValue(reader, field, values.to),
  }));
}

/** A setting's value as people may see it: they know an image by the name that they chose, not by the one that hosts give it. */
export function showValue(reader: StoreReader, field: string, value: unknown): unknown {
  if (field === 'environmentVariables') return maskSecrets(value);
  if (field === 'externalUrls') return mapHashes(value as RouteSpec[], () => MASK);
  if (field !== 'image') return value;
  const { reference, id } = value as { reference: string; id: string };
  const imageId = readOwnName(reference)?.repository.split('/')[1] ?? '';
  const known = imageId ? reader.get(images, imageId) : undefined;
  return { reference: known ? imageReference(known) : reference, id };
}

function maskSecrets(environment: unknown): EnvironmentVariable[] {
  return (environment as EnvironmentVariable[]).map((entry) => (entry.secret ? { ...entry, value: MASK } : entry));
}
