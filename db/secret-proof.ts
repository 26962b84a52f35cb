import 'server-only';
import type Database from 'better-sqlite3';
import { env } from '@/lib/env';
import { log } from '@/lib/log';
import { hasSecret, proofOf, secretProof, SecretError } from '@/lib/secrets';

const NAME = 'secretProof';

function storedProof(sqlite: Database.Database): string | undefined {
  const has = sqlite.prepare("SELECT 1 FROM sqlite_master WHERE name = 'installation'").get();
  if (!has) return undefined;
  return sqlite.prepare('SELECT value FROM installation WHERE name = ?').pluck().get(NAME) as string | undefined;
}

/** Whether a database belongs to a secret; one from before there were proofs belongs to any. */
export function belongsTo(sqlite: Database.Database, secret: string): boolean {
  const stored = storedProof(sqlite);
  return stored === undefined || stored === proofOf(secret);
}

/** Throws a SecretError where the installation's secret is not the one that the data was made with; notes it for new data. */
export function requireSecret(sqlite: Database.Database): void {
  const stored = storedProof(sqlite);
  const { dataDir, secret, newSecret } = env();
  const isAccepted = newSecret === 'accept';
  if (stored !== undefined && !isAccepted) {
    if (!hasSecret()) throw new SecretError(`There is no secret.key in ${dataDir}. ${ADVICE}`);
    if (stored === secretProof()) return;
    const which = secret ? 'BERTH_SECRET' : `secret.key in ${dataDir}`;
    throw new SecretError(`${which} is not the secret that this data was made with. ${ADVICE}`);
  }
  if (stored !== undefined) log.warn('BERTH_NEW_SECRET=accept: what was sealed with the secret before can not be read');
  const put =
    'INSERT INTO installation (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value';
  sqlite.prepare(put).run(NAME, secretProof());
}

const ADVICE =
  'Put back the one from your copy of the data folder (or the BERTH_SECRET that was set). If it is lost, start once with ' +
  'BERTH_NEW_SECRET=accept: stored passwords and secret values then have to be entered again.';
