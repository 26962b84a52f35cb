import 'server-only';
import { createHash } from 'node:crypto';
import { hosts, type HostRow } from '../collection';
import { nowMs } from '@/lib/clock';
import { hostDefaults } from '@/lib/vocabulary/limits';
import type { JoinAnswer, JoinRequest } from '@/lib/protocol/calls';
import { spokenHere } from '@/lib/protocol/version';
import { recordAudit, type AuditOrigin } from '@/lib/records/audit';
import { write, type WriteTransaction } from '@/lib/records/transaction';
import { getIdentity, putKey } from './host-identities';
import { findJoinToken, takeUse, type JoinToken } from './join-tokens';
import { writeHostObject } from '../host-spec';
import { closeLink } from './links';
import { refusal } from './refusals';
import { forgetProofs } from './used-proofs';

/** What a join token is looked up by. */
export function hashJoinToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/**
 * Takes an agent's key for a new host, or for an existing one when the token may replace keys. Asked again with the same
 * key it answers the same host, so an agent that lost the answer can repeat itself.
 * Throws the refusals `badToken` and `nameTaken`; a refused call uses nothing up.
 */
export function joinHost(request: JoinRequest, from?: AuditOrigin): Promise<JoinAnswer> {
  return write((tx) => {
    const token = requireToken(request);
    const existing = tx.find(hosts, { name: request.name }, { limit: 1 })[0];
    if (existing && getIdentity(existing.id)?.publicKey === request.publicKey) return answer(existing.id);
    if (!takeUse(tx, token.id)) throw refusal('badToken', 'The join token was used already. Make a new one.');
    const host = existing ? replaceKey(tx, existing, { request, token }) : addHost(tx, request, token);
    const on = { collection: 'hosts', record: host.id, name: host.name };
    recordAudit(tx, {
      action: 'host.join',
      from,
      on,
      details: { createdBy: token.createdBy, isKnown: Boolean(existing) },
    });
    return answer(host.id);
  });
}

function requireToken(request: JoinRequest): JoinToken {
  const token = findJoinToken(hashJoinToken(request.token));
  if (!token) throw refusal('badToken', 'The join token is not known.');
  if (token.expiresAtMs <= nowMs()) throw refusal('badToken', 'The join token has expired. Make a new one.');
  if (token.name !== '' && token.name !== request.name) {
    throw refusal('badToken', `The join token is for a host named ${token.name}, not ${request.name}.`);
  }
  return token;
}

function replaceKey(tx: WriteTransaction, host: HostRow, by: { request: JoinRequest; token: JoinToken }): HostRow {
  if (!by.token.mayReplaceKey) {
    throw refusal(
      'nameTaken',
      `A host named ${host.name} exists. Take another name, or make a token that replaces its key.`,
    );
  }
  putKey(tx, host.id, by.request.publicKey, by.request.versions.protocol);
  writeHostObject(tx, host);
  tx.afterCommit.push(() => {
    forgetProofs(host.id);
    closeLink(host.id, "The host's key was replaced");
  });
  return host;
}

function addHost(tx: WriteTransaction, request: JoinRequest, token: JoinToken): HostRow {
  const host = tx.insert(hosts, {
    ...hostDefaults,
    name: request.name,
    // What a token for many lets in is looked at before anything runs on it.
    enabled: token.usesLeft === 1,
    created_by: token.createdBy,
    environment: request.environment,
    registry_auths: [],
    engine: {
      kind: request.engine,
      version: request.versions.engine,
      apiVersion: request.versions.engineApi,
      buildKit: false,
      runtimes: [],
      reachable: false,
      message: '',
      liveLink: false,
      protocol: request.versions.protocol,
    },
    agentVersion: request.versions.agent,
    status: 'offline',
    statusMessage: 'Joined; waiting for the first heartbeat',
  });
  putKey(tx, host.id, request.publicKey, request.versions.protocol);
  writeHostObject(tx, host);
  return host;
}

function answer(hostId: string): JoinAnswer {
  return { hostId, now: nowMs(), ...spokenHere };
}
