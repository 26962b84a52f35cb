import 'server-only';
import { hosts } from './collection';
import { AppError, fieldError } from '@/lib/errors';
import { nowMs, toWireDate, wireNow } from '@/lib/clock';
import { newId, newSecret } from '@/lib/ids';
import { hashJoinToken } from './link/join';
import { releaseInstance } from './link/instances';
import { actorUserId, hasFullAccess, type Actor } from '@/lib/policies/actor';
import { recordAudit } from '@/lib/records/audit';
import { write, type WriteTransaction } from '@/lib/records/transaction';
import { getIdentity } from './link/host-identities';
import { insertJoinToken, removeExpiredTokens } from './link/join-tokens';

const LIFETIME_MS = 60 * 60_000;
/** A reusable token works for as many hosts as come before it expires. */
const REUSABLE_USES = 1_000_000;

export interface JoinTokenRequest {
  /** The name that the host must take; left out, the agent says one. */
  name?: string;
  reusable?: boolean;
  /** Lets the joining agent replace the key of the host of that name. Needs `name`. */
  replaceKey?: boolean;
}

export interface JoinTokenAnswer {
  /** Shown once; only its hash is kept. */
  token: string;
  /** Wire date. */
  expiresAt: string;
  expiresInSeconds: number;
}

/** Makes a token with which an agent may join within the hour. Throws `forbidden` unless an admin asks. */
export function createJoinToken(actor: Actor, request: JoinTokenRequest): Promise<JoinTokenAnswer> {
  if (!hasFullAccess(actor)) throw new AppError('forbidden', 'Only admins may add hosts.');
  const { name = '', replaceKey = false } = request;
  if (replaceKey && name === '') throw fieldError('name', 'validation_required', 'Say which host gets a new key.');
  if (replaceKey && request.reusable) {
    throw fieldError('reusable', 'validation_invalid_value', 'A token that replaces a key works once.');
  }
  return write((tx) => {
    const exists = name !== '' && tx.find(hosts, { name }, { limit: 1 }).length > 0;
    if (exists && !replaceKey) throw fieldError('name', 'validation_not_unique', 'A host of this name exists already.');
    const details = { reusable: Boolean(request.reusable), replaceKey };
    recordAudit(tx, { action: 'joinToken.create', actor, on: { collection: 'hosts', record: '', name }, details });
    return addToken(tx, actor, request);
  });
}

function addToken(
  tx: WriteTransaction,
  actor: Actor,
  { name = '', reusable = false, replaceKey = false }: JoinTokenRequest,
): JoinTokenAnswer {
  const token = newSecret(40);
  const now = nowMs();
  const expiresAtMs = now + LIFETIME_MS;
  removeExpiredTokens(tx, now);
  insertJoinToken(tx, {
    id: newId(),
    hash: hashJoinToken(token),
    name,
    createdBy: actorUserId(actor),
    created: wireNow(),
    expiresAtMs,
    usesLeft: reusable ? REUSABLE_USES : 1,
    mayReplaceKey: replaceKey,
  });
  return { token, expiresAt: toWireDate(expiresAtMs), expiresInSeconds: LIFETIME_MS / 1000 };
}

/**
 * A token for the agent that runs inside this process, as host `name`. It may replace the key, since the agent only asks
 * for it when its own state is lost.
 */
export function createEmbeddedJoinToken(name: string): Promise<string> {
  return write((tx) => addToken(tx, { kind: 'system' }, { name, replaceKey: true }).token);
}

/** Whether a host that joined once is still there. */
export function isKnownHost(hostId: string): boolean {
  return getIdentity(hostId) !== undefined;
}

/** Lets the embedded agent speak for its host at once: the one before it ended with the console's process. */
export function releaseEmbeddedAgent(name: string): Promise<void> {
  return write((tx: WriteTransaction) => {
    const host = tx.find(hosts, { name }, { limit: 1 })[0];
    const identity = host && getIdentity(host.id);
    if (identity) releaseInstance(tx, identity.hostId, identity.instanceId);
  });
}
