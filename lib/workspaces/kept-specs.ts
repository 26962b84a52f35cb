import 'server-only';
import { createHmac } from 'node:crypto';
import { prepare } from '@/lib/records/statements';
import type { WriteTransaction } from '@/lib/records/transaction';
import { keyFor, tryOpen } from '@/lib/secrets';
import { mapHashes } from './routes-of';
import type { StoredWorkspaceSpec } from './spec';
import { openHash } from './url-passwords';

const MARK_CHARS = 22;

/**
 * The spec without what only its host may know: an account is left out, and of a secret value stays a mark that tells it from
 * another. What was secret once is so not kept for as long as deployments are.
 */
export function withoutSecrets(spec: StoredWorkspaceSpec): StoredWorkspaceSpec {
  const environment = spec.environment.map(({ name, value, secret }) => {
    return { name, value: secret ? markOf(name, tryOpen(value) ?? '') : value, secret };
  });
  const routes = mapHashes(spec.routes ?? [], (hash, name) => markOf(name, openHash(hash) ?? ''));
  return { ...spec, environment, routes, image: { ...spec.image, account: undefined } };
}

function markOf(name: string, value: string): string {
  if (value === '') return '';
  const mac = createHmac('sha256', keyFor('kept-specs')).update(JSON.stringify([name, value]));
  return mac.digest('base64url').slice(0, MARK_CHARS);
}

/** Keeps what a deployment asks its host to run; it goes with the deployment's record. */
export function keepSpec(tx: WriteTransaction, deploymentId: string, spec: StoredWorkspaceSpec): void {
  const sql =
    'INSERT INTO deployment_specs (deployment, spec) VALUES (?, ?) ON CONFLICT (deployment) DO UPDATE SET spec = excluded.spec';
  tx.prepare(sql).run(deploymentId, JSON.stringify(withoutSecrets(spec)));
}

/** What a deployment asked for; undefined when nothing was sent to its host, or it is older than such notes. */
export function readKeptSpec(deploymentId: string): StoredWorkspaceSpec | undefined {
  const row = prepare<{ spec: string }>('SELECT spec FROM deployment_specs WHERE deployment = ?').get(deploymentId);
  return row && (JSON.parse(row.spec) as StoredWorkspaceSpec);
}

/** What the last deployment of a workspace before one of that number asked for. */
export function readSpecBefore(
  workspaceId: string,
  number: number,
): { number: number; spec: StoredWorkspaceSpec } | undefined {
  const row = prepare<{ number: number; spec: string }>(
    `SELECT d.number, s.spec FROM deployments d JOIN deployment_specs s ON s.deployment = d.id
     WHERE d.workspace = ? AND d.number < ? ORDER BY d.number DESC LIMIT 1`,
  ).get(workspaceId, number);
  return row && { number: row.number, spec: JSON.parse(row.spec) as StoredWorkspaceSpec };
}

/** What the host called the image of the last deployment of a workspace that went well; empty where none is known. */
export function readLastGoodTag(workspaceId: string): string {
  const row = prepare<{ tag: string | null }>(
    `SELECT json_extract(s.spec, '$.image.tag') AS tag FROM deployments d JOIN deployment_specs s ON s.deployment = d.id
     WHERE d.workspace = ? AND d.status = 'succeeded' ORDER BY d.number DESC LIMIT 1`,
  ).get(workspaceId);
  return row?.tag ?? '';
}
