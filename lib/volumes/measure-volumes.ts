import 'server-only';
import { z } from 'zod';
import { volumesTable } from '@/db/schema/volumes';
import { nowMs, toWireDate, wireNow } from '@/lib/clock';
import { AppError } from '@/lib/errors';
import { askHost } from '@/lib/hosts/link/ask-host';
import { hostLinks } from '@/lib/hosts/link/links';
import { log } from '@/lib/log';
import { volumeSizesSchema } from '@/lib/protocol/volume-streams';
import { prepare } from '@/lib/records/statements';
import { write } from '@/lib/records/transaction';

const volumes = { name: 'volumes', table: volumesTable };
const OLD_AFTER_MS = 6 * 3_600_000;
/** Engines count for seconds, and one question is about so many at most. */
const AT_ONCE = 200;

export const volumeSizeSchema = z.strictObject({
  sizeBytes: z.number().describe('Bytes on the disk of the host'),
  sizeIsLeast: z.boolean().describe('Whether there is more than could be counted in time'),
  sizedAt: z.string(),
});

/** Asks for the size now. Throws as `askHost` does, and `conflict` where the host can't tell. */
export async function measureVolume(
  { id, host }: { id: string; host: string },
  signal: AbortSignal,
): Promise<z.infer<typeof volumeSizeSchema>> {
  const measured = await ask(host, [id], signal);
  const size = measured.get(id);
  if (!size) throw new AppError('conflict', 'The host can’t tell the size of this volume at the moment.');
  return size;
}

const OLD = `SELECT id, host FROM volumes WHERE status = 'created' AND sized_at < ? ORDER BY host, sized_at LIMIT 2000`;

/** Asks the hosts that are there about volumes that nobody has asked about for hours. */
export async function sweepVolumeSizes(): Promise<void> {
  const old = prepare(OLD).all(toWireDate(nowMs() - OLD_AFTER_MS)) as { id: string; host: string }[];
  const byHost = new Map<string, string[]>();
  for (const { id, host } of old) {
    const ids = byHost.get(host) ?? [];
    if (hostLinks.get(host) && ids.length < AT_ONCE) byHost.set(host, [...ids, id]);
  }
  for (const [host, ids] of byHost) {
    await ask(host, ids, AbortSignal.timeout(60_000)).catch((error: unknown) =>
      log.debug({ err: error, host }, 'the sizes of volumes were not told'),
    );
  }
}

async function ask(host: string, volumeIds: string[], signal: AbortSignal) {
  const open = { kind: 'volumeSizes' as const, volumeIds };
  const told = await askHost(host, open, { schema: volumeSizesSchema, signal });
  const sizedAt = wireNow();
  return write((tx) => {
    const asked = new Set(volumeIds);
    const sizes = new Map<string, z.infer<typeof volumeSizeSchema>>();
    for (const { volumeId, sizeBytes, isWhole } of told.volumes) {
      if (!asked.has(volumeId)) continue;
      const size = { sizeBytes, sizeIsLeast: !isWhole, sizedAt };
      sizes.set(volumeId, size);
      if (tx.get(volumes, volumeId)) tx.observe(volumes, volumeId, size);
    }
    return sizes;
  });
}
