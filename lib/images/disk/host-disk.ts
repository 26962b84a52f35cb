import 'server-only';
import { z } from 'zod';
import { AppError, fieldError } from '@/lib/errors';
import type { HostRow } from '@/lib/hosts/collection';
import { askHost } from '@/lib/hosts/link/ask-host';
import { listObjectsSince } from '@/lib/hosts/link/desired-objects';
import type { Actor } from '@/lib/policies/actor';
import {
  type DiskUse,
  diskImageSchema,
  diskSchema,
  type PruneState,
  pruneStateSchema,
} from '@/lib/protocol/disk-streams';
import { normalizedText } from '@/lib/protocol/image-names';
import { recordAudit } from '@/lib/records/audit';
import { prepare } from '@/lib/records/statements';
import { write } from '@/lib/records/transaction';
import { coversName } from '../base-images';

/** Images told by name; the rest is in the sums. */
const TOLD_MAX = 200;

export const hostDiskSchema = diskSchema.extend({
  unused: z.array(diskImageSchema).max(TOLD_MAX).describe('What can be removed, the largest first'),
  unusedCount: z.int(),
  unusedBytes: z.number(),
});
export type HostDisk = z.infer<typeof hostDiskSchema>;

export const pruneSchema = z
  .strictObject({
    name: z.string().describe('The host’s name, typed'),
    images: z.boolean().default(false),
    buildCache: z.boolean().default(false),
  })
  .refine(({ images, buildCache }) => images || buildCache, { path: ['images'], message: 'Choose what to remove.' });

/** What lies on the disk of a host's engine, and what of it nobody needs. Throws as `askHost` does. */
export async function readHostDisk(host: HostRow, signal: AbortSignal): Promise<HostDisk> {
  const use = await askHost(host.id, { kind: 'disk' }, { schema: diskSchema, signal });
  const unused = leaveOutNeeded(host, use.unused);
  const unusedBytes = unused.reduce((all, { sizeBytes }) => all + sizeBytes, 0);
  return { ...use, unused: unused.slice(0, TOLD_MAX), unusedCount: unused.length, unusedBytes };
}

/**
 * Has a host remove what nobody needs, and answers once it has begun. Throws `invalid` where the typed name is not the host's,
 * and as `askHost` does.
 */
export async function pruneHost(
  { host, actor }: { host: HostRow; actor: Actor },
  { name, images, buildCache }: z.output<typeof pruneSchema>,
  signal: AbortSignal,
): Promise<PruneState> {
  if (name !== host.name) throw fieldError('name', 'validation_not_matching', 'This is not the name of the host.');
  const use = images ? await askHost(host.id, { kind: 'disk' }, { schema: diskSchema, signal }) : undefined;
  const ids = leaveOutNeeded(host, use?.unused ?? []).map(({ imageId }) => imageId);
  if (ids.length === 0 && !buildCache) throw new AppError('conflict', 'There is no unused image on this host.');
  await write((tx) =>
    recordAudit(tx, {
      action: 'host.prune',
      actor,
      on: { collection: 'hosts', record: host.id, name: host.name },
      details: { images: ids.length, buildCache },
    }),
  );
  return askHost(host.id, { kind: 'prune', images: ids, buildCache }, { schema: pruneStateSchema, signal });
}

const NEEDED = `SELECT image_id FROM builds WHERE host = ? AND is_gone = 0
  UNION SELECT image_id FROM images WHERE build_on = ?`;

/**
 * Without the builds that images of the console have there, what its workspaces are to run, and what the host's settings name as
 * its own.
 */
function leaveOutNeeded(host: HostRow, unused: DiskUse['unused']): DiskUse['unused'] {
  const ids = new Set(prepare(NEEDED).pluck().all(host.id, host.id) as string[]);
  const allowed = host.local_images ?? [];
  const names = new Set<string>();
  for (const { kind, spec } of listObjectsSince(host.id, 0)) {
    if (kind !== 'workspace' || spec === null) continue;
    const { image } = spec as { image: { id: string; reference: string; tag?: string } };
    if (image.id) ids.add(image.id);
    names.add(normalizedText(image.reference));
    if (image.tag) names.add(normalizedText(image.tag));
  }
  const isNamed = (tag: string): boolean =>
    names.has(normalizedText(tag)) || allowed.some((each) => coversName(each, tag));
  return unused.filter(({ imageId, tags }) => !ids.has(imageId) && !tags.some(isNamed));
}
