import { z } from 'zod';
import { filePathSchema, newFileShape } from './file-streams';

/**
 * Questions about what is in a volume, answered as those about a container's files are. Paths are the
 * volume's own, from its root on.
 */

const volumeId = z.string();

export const openVolumeListSchema = z.object({ kind: z.literal('volumeList'), volumeId, path: filePathSchema });
/** A file as it is; a folder, or the whole volume, as a tar. The closing words say what was left out. */
export const openVolumeReadSchema = z.object({ kind: z.literal('volumeRead'), volumeId, path: filePathSchema });
export const openVolumeWriteSchema = z.object({ kind: z.literal('volumeWrite'), volumeId, ...newFileShape });

export const volumeChangeSchema = z.discriminatedUnion('act', [
  z.object({ act: z.literal('makeFolder'), path: filePathSchema, name: newFileShape.name }),
  /** `to` is free, and its folder there. */
  z.object({ act: z.literal('move'), path: filePathSchema, to: filePathSchema }),
  z.object({ act: z.literal('remove'), path: filePathSchema }),
]);
export const openVolumeChangeSchema = z.object({
  kind: z.literal('volumeChange'),
  volumeId,
  change: volumeChangeSchema,
});
export const volumeChangedSchema = z.object({ done: z.literal(true) });

/** Exactly `size` bytes of a tar follow, which takes the place of what is in the volume once it is there as a whole. */
export const openVolumeRestoreSchema = z.object({
  kind: z.literal('volumeRestore'),
  volumeId,
  size: z.int().min(0),
});
export const volumeRestoredSchema = z.object({ entries: z.int().min(0) });

/** How much is in each; one that can't be told is left out of the answer. */
export const openVolumeSizesSchema = z.object({
  kind: z.literal('volumeSizes'),
  volumeIds: z.array(z.string()).max(1000),
});
export const volumeSizesSchema = z.object({
  volumes: z.array(
    z.object({
      volumeId,
      sizeBytes: z.number().min(0),
      /** False where there is more than could be counted in time. */
      isWhole: z.boolean(),
    }),
  ),
});

type OpenVolumeWrite = z.infer<typeof openVolumeWriteSchema>;
export type OpenVolumeTree =
  z.infer<typeof openVolumeListSchema> | z.infer<typeof openVolumeReadSchema> | OpenVolumeWrite;
export type OpenVolumeChange = z.infer<typeof openVolumeChangeSchema>;
export type OpenVolumeRestore = z.infer<typeof openVolumeRestoreSchema>;
export type OpenVolumeSizes = z.infer<typeof openVolumeSizesSchema>;
export type OpenVolume = OpenVolumeTree | OpenVolumeChange | OpenVolumeRestore | OpenVolumeSizes;

const KINDS = ['volumeList', 'volumeRead', 'volumeWrite', 'volumeChange', 'volumeRestore', 'volumeSizes'];

export function isVolumeOpen<T extends { kind: string }>(open: T | OpenVolume): open is OpenVolume {
  return KINDS.includes(open.kind);
}
