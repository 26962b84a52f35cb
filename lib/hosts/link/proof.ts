import 'server-only';
import { createHash, createPublicKey, verify, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { nowMs } from '@/lib/clock';
import { singleton } from '@/lib/singleton';
import { getIdentity, type HostIdentity } from './host-identities';
import { consoleStartedAtMs } from './console-start';
import { refusal } from './refusals';
import { takeProof } from './used-proofs';

/** How far an agent's clock may be off. */
const SKEW_MS = 5 * 60_000;
/** `iat` is in whole seconds, so a proof made just after the start may look older. */
const START_TOLERANCE_MS = 2000;
const PROOF_CHARS = 4096;

const headerSchema = z.object({ alg: z.literal('EdDSA') });
const claimsSchema = z.object({
  iss: z.string().min(1),
  htm: z.string(),
  htu: z.string(),
  /** Seconds since the epoch. */
  iat: z.number(),
  jti: z.string().min(1).max(200),
  /** SHA-256 of the body as sent, base64url. */
  bsh: z.string(),
});

export interface ProvenRequest {
  authorization: string;
  method: string;
  /** Without the query. */
  path: string;
  body: Buffer;
}

const keys = singleton('host-keys', () => new Map<string, KeyObject>());

/** The key object of a raw Ed25519 key. Few hosts, so all are kept. */
function keyOf(publicKey: string): KeyObject {
  let key = keys.get(publicKey);
  if (!key) {
    key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' });
    keys.set(publicKey, key);
  }
  return key;
}

/**
 * The host whose key signed the request. Throws a refusal for a missing, forged, misdirected, repeated or badly timed
 * proof, and for a host that is unknown or was removed.
 */
export function verifyProof(request: ProvenRequest): HostIdentity {
  const { claims, signed, signature } = parseProof(request.authorization);
  const identity = getIdentity(claims.iss);
  if (!identity || identity.publicKey === '')
    throw refusal('unknownHost', 'This host is not known here, or was removed.');
  if (!verify(null, signed, keyOf(identity.publicKey), signature)) throw badProof('The signature is not by this host.');
  if (claims.htm !== request.method || pathOf(claims.htu) !== request.path) {
    throw badProof('The proof was made for another call.');
  }
  if (claims.bsh !== createHash('sha256').update(request.body).digest('base64url')) {
    throw badProof('The body is not the one that was signed.');
  }
  requireFresh(claims);
  return identity;
}

/** Used proofs are kept in memory, so those from before the console's start are not taken at all. */
function requireFresh(claims: z.infer<typeof claimsSchema>): void {
  const now = nowMs();
  const issuedMs = claims.iat * 1000;
  const isOld = issuedMs < now - SKEW_MS || issuedMs < consoleStartedAtMs() - START_TOLERANCE_MS;
  if (isOld || issuedMs > now + SKEW_MS) {
    throw refusal('clockSkew', `The agent's clock is off: the console's time is ${new Date(now).toISOString()}.`);
  }
  const proof = { id: claims.jti, expiresAtMs: issuedMs + SKEW_MS, nowMs: now };
  if (!takeProof(claims.iss, proof)) throw refusal('replayed', 'This request was already taken.');
}

function parseProof(authorization: string) {
  const token = /^Bearer ([\w-]+)\.([\w-]+)\.([\w-]+)$/.exec(authorization.slice(0, PROOF_CHARS));
  if (!token) throw badProof('The request has no proof.');
  const [, header, payload, signature] = token as unknown as [string, string, string, string];
  try {
    headerSchema.parse(decodePart(header));
    const claims = claimsSchema.parse(decodePart(payload));
    return { claims, signed: Buffer.from(`${header}.${payload}`), signature: Buffer.from(signature, 'base64url') };
  } catch {
    throw badProof('The proof can not be read.');
  }
}

function decodePart(part: string): unknown {
  return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
}

/** The console may be reached under several addresses, so only the path of `htu` counts. */
function pathOf(address: string): string {
  try {
    return new URL(address, 'http://console').pathname;
  } catch {
    return '';
  }
}

function badProof(message: string) {
  return refusal('badProof', message);
}
