import 'server-only';
import { z } from 'zod';
import { AppError, fieldError, type FieldProblems, NOT_FOUND_MESSAGE } from '@/lib/errors';
import { type HostRow, hosts } from '@/lib/hosts/collection';
import { getDesired, putDesired } from '@/lib/hosts/link/desired';
import { requireOpenHost } from '@/lib/hosts/takes-new';
import { newId } from '@/lib/ids';
import { actorUserId, type Actor } from '@/lib/policies/actor';
import { ownTag } from '@/lib/protocol/image-names';
import { may } from '@/lib/records/acts';
import { write, type WriteTransaction } from '@/lib/records/transaction';
import { channelsSchema, environmentsSchema } from '@/lib/vocabulary/image-schemas';
import { isBuildOver } from '@/lib/vocabulary/image-status';
import { jobKind } from '../at-host';
import { planCheck } from '../base-images';
import { NO_IMAGES_HERE } from '../checks';
import { previewSchema } from '../preview-image';
import { checkRecipe } from '../recipe-checks';
import { type ImageCheck, insertCheck, listChecksOf, moveCheck, readCheck } from './kept-checks';

/** A check that takes longer would not be waited for. */
const CHECK_TIMEOUT_MS = 15 * 60_000;

export const checkSchema = z.strictObject({
  build_on: z.string().min(1, 'Cannot be blank.').max(100).describe('Id of the host'),
  baseImage: previewSchema.shape.baseImage,
  channels: channelsSchema.default([]),
  environments: environmentsSchema.min(1, 'There is no environment to check.'),
});

/**
 * Asks a host to find out whether environments can be had together, without an image being made. Throws `invalid` at the field
 * that stands in the way, as building does; the rights are those of building there.
 */
export async function checkImage(actor: Actor, asked: z.output<typeof checkSchema>): Promise<{ id: string }> {
  const { build_on, ...recipe } = asked;
  const fields: FieldProblems = checkRecipe({ ...recipe, startupCommands: [] });
  if (Object.keys(fields).length > 0) throw new AppError('invalid', 'The environments can not be checked.', { fields });
  return write((tx) => {
    const host = requireHost(tx, build_on, actor);
    const userId = actorUserId(actor);
    if (listChecksOf(userId).some(({ status }) => !isBuildOver(status))) {
      const words = 'A check of yours is under way. Wait for it, or cancel it.';
      throw fieldError('build_on', 'validation_too_many_checks', words);
    }
    const id = newId();
    const { dockerfile, bases, context } = planCheck({ recipe, host, actor, reader: tx });
    insertCheck(tx, { id, host: host.id, createdBy: userId, status: 'build_pending' });
    putDesired(tx, jobKind, {
      hostId: host.id,
      objectId: id,
      spec: {
        job: 'check',
        imageId: id,
        reference: ownTag(id, 1),
        owner: userId,
        timeoutMs: Math.min(CHECK_TIMEOUT_MS, host.build_timeout * 1000),
        cancel: false,
        dockerfile,
        context,
        bases,
        // What others fetched is not to be taken for what the index has, nor is it to be seen.
        cacheScope: `check-${userId}`,
      },
    });
    return { id };
  });
}

function requireHost(tx: WriteTransaction, id: string, actor: Actor): HostRow {
  const host = tx.get(hosts, id);
  if (!host || !may(actor, { collection: hosts, row: host, act: 'view' })) {
    throw fieldError('build_on', 'validation_missing_rel_records', 'There is no such host.');
  }
  requireOpenHost(host, 'build_on');
  if (!may(actor, { collection: hosts, row: host, act: 'canCreateImages' })) {
    throw fieldError('build_on', 'validation_not_allowed', NO_IMAGES_HERE);
  }
  return host;
}

/** A check of the actor's own. Throws `not_found` for any other. */
export function requireCheck(actor: Actor, id: string): ImageCheck {
  const check = readCheck(id);
  const userId = actorUserId(actor);
  if (!check || userId === '' || check.createdBy !== userId) throw new AppError('not_found', NOT_FOUND_MESSAGE);
  return check;
}

/** Asks the host to stop a check; fine when it is over. Throws as `requireCheck` does. */
export async function cancelCheck(actor: Actor, id: string): Promise<void> {
  return write((tx) => {
    const { host, status } = requireCheck(actor, id);
    if (isBuildOver(status)) return;
    const spec = getDesired(jobKind, host, id)?.spec;
    if (spec && tx.get(hosts, host))
      putDesired(tx, jobKind, { hostId: host, objectId: id, spec: { ...spec, cancel: true } });
    else moveCheck(tx, { id, hostId: host, status: 'build_cancelled', message: '' });
  });
}
