import 'server-only';
import { actorOfUser } from '@/lib/auth/actor';
import { wireNow } from '@/lib/clock';
import { AppError } from '@/lib/errors';
import { type HostRow, hosts } from '@/lib/hosts/collection';
import { askHost } from '@/lib/hosts/link/ask-host';
import { findAccount, openAccount, toJobAccount } from '@/lib/hosts/registry-accounts';
import type { Actor } from '@/lib/policies/actor';
import { normalizedText } from '@/lib/protocol/image-names';
import { remoteDigestSchema } from '@/lib/protocol/registry-streams';
import { requireAct } from '@/lib/records/acts';
import { StoreReader, write } from '@/lib/records/transaction';
import { UnsealError } from '@/lib/secrets';
import { imageReference } from '@/lib/vocabulary/image-reference';
import { builds } from '../builds';
import { type ImageRow, images } from '../collection';

export interface NewerAnswer {
  isNewer: boolean;
  /** Of what the registry has. */
  digest: string;
}

/**
 * Asks the registry of a pulled image, by its host and with the account that the actor may pull it with, whether it has
 * something else under the name by now, and keeps the answer. Throws `invalid` for an image that no registry can have newer, and
 * as `askHost` does.
 */
export async function askNewer(image: ImageRow, actor: Actor, signal: AbortSignal): Promise<NewerAnswer> {
  const reader = new StoreReader();
  const host = reader.get(hosts, image.build_on);
  const pulled = pulledDigest(image, reader);
  if (!host || image.creationType !== 'pullAnImage' || imageReference(image).includes('@')) {
    throw new AppError('invalid', `Image ${image.name} is not pulled by a tag, so there is no newer one.`);
  }
  if (pulled === '') throw new AppError('invalid', `Image ${image.name} was not pulled from a registry yet.`);
  const reference = normalizedText(imageReference(image));
  const account = accountFor(host, { actor, reference });
  const open = { kind: 'remoteDigest' as const, reference, account };
  const { digest } = await askHost(host.id, open, { schema: remoteDigestSchema, signal });
  if (digest === '') throw new AppError('host_unavailable', 'The registry tells no digest.');
  const isNewer = digest !== pulled;
  await write((tx) => {
    // A pull may have come meanwhile.
    if (tx.get(images, image.id)?.buildNumber !== image.buildNumber) return;
    tx.patch(images, image.id, { newerDigest: isNewer ? digest : '', newerChecked: wireNow() });
  });
  return { isNewer, digest };
}

/** The same for whoever may build the image. */
export function askNewerFor(actor: Actor, imageId: string, signal: AbortSignal): Promise<NewerAnswer> {
  return askNewer(requireAct(actor, { collection: images, id: imageId, act: 'build' }), actor, signal);
}

/** The same as who pulled it last: nobody is there to ask. */
export function askNewerAlone(image: ImageRow, signal: AbortSignal): Promise<NewerAnswer> {
  const last = new StoreReader().find(builds, { image: image.id, number: image.buildNumber }, { limit: 1 })[0];
  return askNewer(image, actorOfUser(last?.created_by || image.created_by), signal);
}

function pulledDigest(image: ImageRow, reader: StoreReader): string {
  const match = { image: image.id, status: 'build_finished', kind: 'pull' } as const;
  return reader.find(builds, match, { orderBy: 'number', descending: true, limit: 1 })[0]?.digest ?? '';
}

function accountFor(host: HostRow, { actor, reference }: { actor: Actor; reference: string }) {
  const found = findAccount(host, { actor, reference, use: 'pull' });
  if ('refusal' in found) throw new AppError('forbidden', found.refusal);
  const account = toJobAccount(found.account);
  try {
    return account && openAccount(account);
  } catch (error) {
    if (error instanceof UnsealError) throw new AppError('conflict', error.message, { cause: error });
    throw error;
  }
}
