import 'server-only';
import { requireLoggedIn } from '@/lib/auth/require-logged-in';
import { z } from 'zod';
import { requestActor } from '@/lib/auth/actor';
import { askHost } from '@/lib/hosts/link/ask-host';
import { filePathSchema, fileNameSchema } from '@/lib/hosts/host-files';
import type { RequestContext } from '@/lib/http/context';
import { type Actor } from '@/lib/policies/actor';
import { volumeChangedSchema } from '@/lib/protocol/volume-streams';
import { requireAct } from '@/lib/records/acts';
import type { RowOf } from '@/lib/records/collection';
import { type volumesTable } from '@/db/schema/volumes';
import { volumes } from '../collection';

export type VolumeRow = RowOf<typeof volumesTable>;

export interface VolumeQuestion {
  actor: Actor;
  volume: VolumeRow;
}

/** The volume of a call, for who may do the act. Throws `unauthenticated`, `not_found` and `forbidden`. */
export function requireVolume(context: RequestContext, act: 'view' | 'attach' | 'modify'): VolumeQuestion {
  requireLoggedIn(context);
  return volumeFor(requestActor(context), context.params.id ?? '', act);
}

/** The same for an actor that is known already. */
export function volumeFor(actor: Actor, id: string, act: 'view' | 'attach' | 'modify'): VolumeQuestion {
  return { actor, volume: requireAct(actor, { collection: volumes, id, act }) };
}

export const changeSchema = z.discriminatedUnion('act', [
  z.strictObject({ act: z.literal('makeFolder'), path: filePathSchema, name: fileNameSchema }),
  z.strictObject({
    act: z.literal('move'),
    path: filePathSchema,
    to: filePathSchema.describe('The new path, whose folder is there'),
  }),
  z.strictObject({ act: z.literal('remove'), path: filePathSchema }),
]);

/** Makes a folder, moves or removes what is in a volume. Throws the host's refusals. */
export async function changeVolume(
  { volume }: VolumeQuestion,
  change: z.output<typeof changeSchema>,
  signal: AbortSignal,
): Promise<void> {
  const open = { kind: 'volumeChange' as const, volumeId: volume.id, change };
  await askHost(volume.host, open, { schema: volumeChangedSchema, signal });
}
