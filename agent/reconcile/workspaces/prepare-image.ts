import type { WorkspaceSpec } from '../../../lib/protocol/specs/workspace';
import { isFreshTag, olderFreshTags } from '../../../lib/protocol/image-names';
import { EngineError, toMessage } from '../../engines/engine-error';
import { HostNames, wrongImage } from '../../jobs/host-names';
import type { ApplyContext } from './apply';
import type { Operation } from './operations';

type Wanted = Extract<Operation, { type: 'prepare-image' }>;
type Context = Pick<ApplyContext, 'engine' | 'auths' | 'signal' | 'spec' | 'onStep'>;

export interface PreparedImage {
  /** What a container is made from. */
  image: string;
  /** What came of a pull that was asked for. */
  words?: string;
}

/** Sees that the host has the image that is wanted; pulls it where it has not and may. */
export async function prepareImage(wanted: Wanted, context: Context): Promise<PreparedImage> {
  const { engine, spec } = context;
  const { reference, imageId, pull } = wanted;
  const tag = spec?.image.tag;
  const name = tag ?? reference;
  const found = await engine.findImage(name);
  if (found && (imageId === '' || found === imageId)) return { image: name };
  if (imageId !== '' && (await engine.findImage(imageId))) {
    if (!tag) return { image: imageId };
    // An older agent built it, under a name that anybody could choose.
    await engine.tagImage(imageId, tag);
    return { image: tag };
  }
  if (!pull) {
    const what = found ? 'The wanted build of the image' : 'The image';
    throw new EngineError('not-found', `${what} ${reference} is not on this host. Build it again.`);
  }
  if (tag && isFreshTag(tag)) return takeNewer(wanted, { ...context, tag });
  await pullImage(reference, { ...context, tag, wantedId: imageId });
  return { image: tag ?? (imageId === '' ? reference : imageId) };
}

/** Someone asked for what the registry has now: it is not tried again and again behind their back. */
async function takeNewer(
  { reference, replacedImageId }: Wanted,
  context: Context & { tag: string },
): Promise<PreparedImage> {
  const { engine, signal, tag } = context;
  try {
    await pullImage(reference, { ...context, wantedId: '' });
  } catch (error) {
    if (signal.aborted) throw error;
    const goesOn = replacedImageId === '' ? '' : ' The container before goes on.';
    const words = `The image ${reference} could not be pulled anew: ${toMessage(error).replace(/[.\s]+$/, '')}.${goesOn}`;
    throw new EngineError('invalid', words, { cause: error });
  }
  const taken = (await engine.findImage(tag)) ?? '';
  await forgetOlder(tag, context);
  if (replacedImageId === '') return { image: tag, words: `Pulled ${reference}, ${shortId(taken)}` };
  if (taken === replacedImageId) {
    return { image: tag, words: `The registry has no newer ${reference}: the image is the same, ${shortId(taken)}` };
  }
  return { image: tag, words: `Took a newer ${reference}: ${shortId(taken)} instead of ${shortId(replacedImageId)}` };
}

/** Names that nothing asks for any more; an image goes with its last one, once no container uses it. */
async function forgetOlder(tag: string, { engine }: Context): Promise<void> {
  const tags = await engine.listTags(tag.slice(0, tag.lastIndexOf(':'))).catch(() => []);
  for (const older of olderFreshTags(tag, tags)) await engine.removeImage(older).catch(() => undefined);
}

function shortId(imageId: string): string {
  return imageId.replace('sha256:', '').slice(0, 12);
}

async function pullImage(
  reference: string,
  context: Context & { tag: string | undefined; wantedId: string },
): Promise<void> {
  const { engine, auths, signal, spec, onStep, tag, wantedId } = context;
  const timeoutMs = pullTimeoutOf(spec);
  const deadline = timeoutMs > 0 ? AbortSignal.timeout(timeoutMs) : new AbortController().signal;
  const log = (text: string): void => onStep({ key: 'image', status: 'running', message: text.trim() });
  const options = { log, signal: AbortSignal.any([signal, deadline]) };
  const account = spec?.image.account;
  try {
    if (tag) {
      await HostNames.of(engine).pull({ reference, tag, wantedId, auths: account ? [account] : [], options });
      return;
    }
    const { imageId } = await engine.pull(reference, auths, options);
    if (wantedId !== '' && imageId !== wantedId) throw wrongImage(reference);
  } catch (error) {
    if (!deadline.aborted || signal.aborted) throw error;
    const words = `The pull of ${reference} took longer than ${Math.round(timeoutMs / 1000)} s`;
    throw new EngineError('busy', words, { cause: error });
  }
}

function pullTimeoutOf(spec: WorkspaceSpec | null): number {
  const { pullTimeoutMs = 0 } = spec ?? {};
  return spec?.image.pullTimeoutMs ?? (pullTimeoutMs === 'image' ? 0 : pullTimeoutMs);
}
