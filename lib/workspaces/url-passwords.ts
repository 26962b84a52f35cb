import 'server-only';
import { workspacesTable } from '@/db/schema/workspaces';
import { fieldError } from '@/lib/errors';
import { bcryptPassword } from '@/lib/passwords';
import type { CheckContext, PrepareContext } from '@/lib/records/collection';
import { castJson } from '@/lib/records/fields/json';
import { storedList } from '@/lib/records/secret-values';
import { StoreReader, write } from '@/lib/records/transaction';
import { seal, tryOpen } from '@/lib/secrets';
import type { ExternalUrl } from '@/lib/vocabulary/workspace';
import { externalUrlsSchema } from '@/lib/vocabulary/workspace-schemas';

/** Before the hash of a password, sealed with it. Consoles before this sealed the password itself. */
const HASHED = 'bcrypt:';
/** New passwords of one save: each takes some 50 ms of a core. */
const HASHES_MAX = 100;

const table = { name: 'workspaces', table: workspacesTable };

type Hashed = readonly (readonly string[])[];

/** Hashes the passwords that a write sends, by address and user. Nothing for a list that will be refused. */
export async function hashPasswords({ body }: Pick<PrepareContext, 'body'>): Promise<Hashed | undefined> {
  if (body.externalUrls === undefined) return undefined;
  const parsed = externalUrlsSchema.safeParse(castJson(body.externalUrls) ?? []);
  if (!parsed.success) return undefined;
  const sent = parsed.data.flatMap(({ users }) => users.filter(({ password }) => password !== ''));
  if (sent.length > HASHES_MAX) {
    const message = `No more than ${HASHES_MAX} passwords can be set at once.`;
    throw fieldError('externalUrls', 'validation_too_many_passwords', message);
  }
  const hashes: string[][] = [];
  for (const { users } of parsed.data) {
    const own: string[] = [];
    for (const { password } of users) own.push(password === '' ? '' : HASHED + (await bcryptPassword(password)));
    hashes.push(own);
  }
  return hashes;
}

/** Puts the hashes in the place of the passwords that were sent. */
export function takeHashes({ row, prepared, sent }: Pick<CheckContext, 'row' | 'prepared' | 'sent'>): void {
  const hashes = prepared as Hashed | undefined;
  if (!hashes || !sent.has('externalUrls')) return;
  row.externalUrls = storedList<ExternalUrl>(row.externalUrls).map((url, index) => ({
    ...url,
    users: url.users.map((user, at) => ({ ...user, password: hashes[index]?.[at] ?? '' })),
  }));
}

/** The hash in a stored password; undefined where it can't be read, or is older than hashes. */
export function openHash(stored: string): string | undefined {
  const opened = tryOpen(stored);
  return opened?.startsWith(HASHED) ? opened.slice(HASHED.length) : undefined;
}

/** Hashes the passwords of a workspace that an older console stored as they are; the rest stays. */
export async function hashOldPasswords(id: string): Promise<void> {
  const hashes = await readOld(new StoreReader().get(table, id)?.externalUrls);
  if (hashes.size === 0) return;
  await write((tx) => {
    const externalUrls = storedList<ExternalUrl>(tx.get(table, id)?.externalUrls).map((url) => ({
      ...url,
      users: url.users.map((user) => ({ ...user, password: hashes.get(user.password) ?? user.password })),
    }));
    tx.patch(table, id, { externalUrls });
  });
}

/** By what is stored, what is to be stored in its place. */
async function readOld(urls: unknown): Promise<Map<string, string>> {
  const hashes = new Map<string, string>();
  const users = storedList<ExternalUrl>(urls).flatMap((url) => url.users);
  for (const { password } of users) {
    const opened = tryOpen(password);
    if (!opened || opened.startsWith(HASHED)) continue;
    hashes.set(password, seal(HASHED + (await bcryptPassword(opened))));
  }
  return hashes;
}
