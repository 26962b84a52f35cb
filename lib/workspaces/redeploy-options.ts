import 'server-only';
import { AppError, type FieldProblem, fieldError } from '@/lib/errors';
import type { HostRow } from '@/lib/hosts/collection';
import { findAccount } from '@/lib/hosts/registry-accounts';
import type { ImageRow } from '@/lib/images/collection';
import type { Actor } from '@/lib/policies/actor';
import type { WorkspaceSpec } from '@/lib/protocol/specs/workspace';
import { imageReference } from '@/lib/vocabulary/image-reference';
import { expandPortMappings } from '@/lib/vocabulary/ports';
import type { RedeployOptions, StopFirstReason } from '@/lib/vocabulary/redeploy';
import type { WorkspaceRow } from './collection';
import type { StoredWorkspaceSpec } from './spec';

/** The first version of the agent's words in which the old container is stopped on demand, and an image pulled anew. */
const PROTOCOL_WITH_OPTIONS = 5;
/** Ports or ids that are named of a reason. */
const NAMED_MAX = 20;

export interface StopFirst {
  reason: StopFirstReason;
  /** Whether the new container can't start beside the old one at all. */
  isNecessary: boolean;
  /** Ports, or ids of volumes; empty for cards. */
  values: string[];
}

type Asking = Pick<WorkspaceRow, 'portMappings' | 'gpus'>;
type Deployed = Pick<StoredWorkspaceSpec, 'state' | 'ports' | 'mounts' | 'gpus'>;

/** What speaks for stopping the old container before the new one starts; nothing where none is asked to run. */
export function findStopFirstReasons(
  workspace: Asking,
  deployed: Deployed | null | undefined,
  wanted: Pick<StoredWorkspaceSpec, 'mounts' | 'gpus'>,
): StopFirst[] {
  if (deployed?.state !== 'running') return [];
  const wantedPorts = expandPortMappings(workspace.portMappings ?? []);
  const fixed = wantedPorts.filter(({ hostPort, protocol }) => {
    return hostPort !== 0 && deployed.ports.some((port) => port.hostPort === hostPort && port.protocol === protocol);
  });
  const picked = deployed.ports.filter(({ hostPort, containerPort, protocol }) => {
    const isOpen = wantedPorts.some((port) => {
      return port.hostPort === 0 && port.containerPort === containerPort && port.protocol === protocol;
    });
    return hostPort !== 0 && isOpen;
  });
  const writable = (wanted.mounts ?? []).filter(({ volumeId, readOnly }) => {
    return !readOnly && (deployed.mounts ?? []).some((mount) => mount.volumeId === volumeId && !mount.readOnly);
  });
  const found: StopFirst[] = [
    { reason: 'fixedPorts', isNecessary: true, values: fixed.map(({ hostPort }) => String(hostPort)) },
    { reason: 'pickedPorts', isNecessary: false, values: picked.map(({ hostPort }) => String(hostPort)) },
    { reason: 'volumes', isNecessary: false, values: writable.map(({ volumeId }) => volumeId) },
  ];
  const reasons = found
    .filter(({ values }) => values.length > 0)
    .map((each) => ({ ...each, values: [...new Set(each.values)].slice(0, NAMED_MAX) }));
  return sharesCards(deployed.gpus, wanted.gpus)
    ? [...reasons, { reason: 'gpus', isNecessary: false, values: [] }]
    : reasons;
}

/** A count may be given any card. */
function sharesCards(one: WorkspaceSpec['gpus'], other: WorkspaceSpec['gpus']): boolean {
  if (!one || !other) return false;
  if ('count' in one || 'count' in other) return true;
  return one.uuids.some((uuid) => other.uuids.includes(uuid));
}

/** Whether a registry may have a newer image under the name: one by its digest never changes. */
export function canTakeNewer(image: ImageRow): boolean {
  return image.creationType === 'pullAnImage' && !imageReference(image).includes('@');
}

/** Throws `invalid` with what of the options can't be had, by field. */
export function requireRedeployOptions(
  parts: { workspace: WorkspaceRow; image: ImageRow; host: HostRow; actor: Actor },
  { order, pull, build }: RedeployOptions,
  reasons: readonly StopFirst[],
): void {
  const { image, host, actor } = parts;
  const fixed = reasons.find(({ isNecessary }) => isNecessary);
  const fields: Record<string, FieldProblem> = {};
  const spoken = host.engine?.protocol ?? PROTOCOL_WITH_OPTIONS;
  const tooOld = spoken < PROTOCOL_WITH_OPTIONS ? `The agent on host ${host.name} is too old for this: update it.` : '';
  if (order === 'start-first' && fixed) {
    const message = `Host port ${fixed.values[0]} is fixed, and two containers can't listen on it: stop the old one first.`;
    fields.order = { code: 'validation_fixed_port', message };
  }
  // Where a port stands in the way, every agent stops the old one first.
  const isStoppedAnyhow = reasons.some(({ reason }) => reason === 'fixedPorts' || reason === 'pickedPorts');
  if (order === 'stop-first' && tooOld && !isStoppedAnyhow)
    fields.order = { code: 'validation_agent_too_old', message: tooOld };
  if (pull && build) {
    const message = 'What is pulled anew is no earlier build.';
    fields.build = { code: 'validation_pulled_anew', message };
  }
  if (pull) {
    const refusal = pullRefusal(image, host, actor);
    if (refusal) fields.pull = refusal;
    else if (tooOld) fields.pull = { code: 'validation_agent_too_old', message: tooOld };
  }
  const words = Object.values(fields).map(({ message }) => message);
  if (words.length > 0) throw new AppError('invalid', words.join(' '), { fields });
}

function pullRefusal(image: ImageRow, host: HostRow, actor: Actor): FieldProblem | undefined {
  if (!canTakeNewer(image)) {
    const message = `Image ${image.name} is not pulled by a tag from a registry, so there is no newer one to take.`;
    return { code: 'validation_not_pulled', message };
  }
  // A host that has the image needs no account to run it, but one to ask for what is newer.
  const answer = findAccount(host, { actor, reference: imageReference(image), use: 'pull' });
  return 'refusal' in answer ? { code: 'validation_not_allowed', message: answer.refusal } : undefined;
}

/** Only a redeploy has options. Throws `invalid` at the one that was sent with another action. */
export function requireNoOptions(action: string, { order, pull, build }: RedeployOptions): void {
  if (action === 'redeploy') return;
  const field = order !== '' ? 'order' : pull ? 'pull' : build !== undefined ? 'build' : undefined;
  if (field) throw fieldError(field, 'validation_only_redeploy', 'Only a redeploy can be asked for this.');
}
