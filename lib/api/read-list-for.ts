import 'server-only';
import { actorOfUser } from '@/lib/auth/actor';
import type { ListAsked } from '@/lib/http/api-lane';
import { collectionNamed } from '@/lib/records/registry';
import { listText } from '@/lib/records/reader';

/** A list as the record API answers it to this account. Rejects as it refuses. */
export async function readListFor(userId: string, { collection: name, ...options }: ListAsked): Promise<unknown> {
  const collection = collectionNamed(name);
  if (!collection || userId === '') throw new Error(`There is no list of ${name} for ${userId || 'nobody'}.`);
  const asked = `page ${JSON.stringify(options)}`;
  return JSON.parse(await listText(collection, actorOfUser(userId), { ...options, can: true, asked }));
}
