import { lookup } from 'node:dns/promises';
import { readInstructions } from '../../lib/protocol/dockerfile';
import { normalizeName } from '../../lib/protocol/image-names';
import { describeTrigger } from '../../lib/protocol/dockerfile-flags';
import { describeFetch, hostOf, isPublicAddress } from '../../lib/protocol/public-address';
import { labels } from '../../lib/protocol/specs/desired';
import { type BaseImageSpec, type JobSpec, pullsBase } from '../../lib/protocol/specs/job';
import type { DescribedImage, Engine, JobOptions } from '../engines/engine';
import { EngineError, toMessage } from '../engines/engine-error';
import { HostNames } from './host-names';

export type BuildSpec = Extract<JobSpec, { job: 'build' }>;

/** The first engine whose builder reads here-documents. */
const HERE_DOCUMENTS_SINCE = 23;

/** An image that a build starts from, as it was when it did. */
export interface PreparedBase {
  from: string;
  imageId: string;
  /** Empty where nobody said by which it is pulled. */
  digest: string;
}

/** Has everything on the host that a build starts from, and refuses what would leave the build's own network. */
export async function prepareBuild(engine: Engine, spec: BuildSpec, options: JobOptions): Promise<PreparedBase[]> {
  const prepared: PreparedBase[] = [];
  if (spec.hasHereDocuments) await requireHereDocuments(engine);
  for (const source of spec.fetches ?? []) await requirePublic(source);
  for (const base of spec.bases ?? []) {
    const image = await new Base(engine, base, { ...options, isPulledAnew: pullsBase(spec) }).prepare();
    refuseTriggers(image, base.from);
    prepared.push({ from: base.from, imageId: image.imageId, digest: digestOf(image, base.from) });
  }
  return prepared;
}

/** By which a registry gives the image under this name. */
function digestOf({ digests }: DescribedImage, from: string): string {
  const { repository } = normalizeName(from);
  const own = digests.find((each) => normalizeName(each).repository === repository);
  return own ? normalizeName(own).digest : '';
}

async function requireHereDocuments(engine: Engine): Promise<void> {
  const { version, hasBuildKit } = await engine.info();
  const isOld = engine.kind === 'docker' && !(Number.parseInt(version, 10) >= HERE_DOCUMENTS_SINCE);
  if (!hasBuildKit || isOld) {
    const words = `The builder of this host (${version}) reads no here-documents (<<). Write the lines as commands.`;
    throw new EngineError('invalid', words);
  }
}

/** The engine looks the name up again: this keeps out what is no address of the internet when the build begins. */
async function requirePublic(source: string): Promise<void> {
  const problem = describeFetch(source);
  if (problem) throw new EngineError('invalid', `The Dockerfile can't be built: ${problem}`);
  const host = hostOf(source);
  const found = await lookup(host, { all: true }).catch(() => []);
  const inside = found.find(({ address }) => !isPublicAddress(address));
  if (!inside) return;
  const words = `${host} is ${inside.address}, which is no address of the internet`;
  throw new EngineError('invalid', `The Dockerfile can't be built: it fetches from ${source}, and ${words}.`);
}

function refuseTriggers({ triggers }: DescribedImage, from: string): void {
  for (const trigger of triggers) {
    const read = trigger.includes('\n') ? undefined : readInstructions(trigger);
    const only = Array.isArray(read) && read.length === 1 ? read[0] : undefined;
    const problem = only ? describeTrigger(only.word, only.rest) : 'it can not be read.';
    if (problem)
      throw new EngineError('invalid', `${from} has ${trigger.slice(0, 200)} run in what it is built into: ${problem}`);
  }
}

interface BaseOptions extends JobOptions {
  isPulledAnew: boolean;
}

class Base {
  private readonly names: HostNames;

  constructor(
    private readonly engine: Engine,
    private readonly base: BaseImageSpec,
    private readonly options: BaseOptions,
  ) {
    this.names = HostNames.of(engine);
  }

  async prepare(): Promise<DescribedImage> {
    const { base, options } = this;
    if (base.pin) return this.takePinned(base.pin);
    if (base.id) return this.takeOwn(base.id);
    const local = base.local && !options.isPulledAnew ? await this.takeLocal() : null;
    if (local) return local;
    const held = options.isPulledAnew || base.local ? null : await this.engine.describeImage(base.tag);
    if (held && this.isOfPlatform(held)) return held;
    const digests = await this.pull();
    return { ...(await this.require(base.tag)), digests };
  }

  /** The very image of another build: as it lies on the host, whatever has its name now, or by its digest. */
  private async takePinned({ imageId, digest }: NonNullable<BaseImageSpec['pin']>): Promise<DescribedImage> {
    const { engine, base, options } = this;
    const reference = `${normalizeName(base.from).repository}@${digest}`;
    const digests = digest === '' ? [] : [reference];
    if (await engine.findImage(imageId)) await engine.tagImage(imageId, base.tag);
    else if (digest === '') {
      const words = `The ${base.from} of that build is not on this host any more, and nobody knows where to pull it from.`;
      throw new EngineError('not-found', words);
    } else {
      const auths = base.account ? [base.account] : [];
      const platform = base.platform ? { platform: base.platform } : {};
      const pulled = { ...options, ...platform };
      await this.names.pull({ reference, tag: base.tag, wantedId: imageId, auths, options: pulled });
    }
    return { ...(await this.require(base.tag)), digests };
  }

  /** A build of this host: by its own name, or by what the engine calls it where an older agent built it. */
  private async takeOwn(id: string): Promise<DescribedImage> {
    const { engine, base } = this;
    if ((await engine.findImage(base.tag)) !== id) {
      if (!(await engine.findImage(id))) {
        throw new EngineError('not-found', `The image ${base.from} is not on this host any more. Build it again.`);
      }
      await engine.tagImage(id, base.tag);
    }
    return this.require(base.tag);
  }

  /** What someone put on the host by hand. Never what was built here: before it had names of its own, anybody chose them. */
  private takeLocal(): Promise<DescribedImage | null> {
    const { engine, base, options } = this;
    return this.names.borrow(base.from, async () => {
      const found = await engine.describeImage(base.from);
      if (!found || found.labels[labels.kind] === 'image' || !this.isOfPlatform(found)) return null;
      await engine.tagImage(found.imageId, base.tag);
      options.log(`${base.from} is the image that the host itself has\n`);
      return found;
    });
  }

  /** What registries know it by: the name that it is pulled by does not stay. */
  private async pull(): Promise<string[]> {
    const { engine, base, options } = this;
    const auths = base.account ? [base.account] : [];
    try {
      const platform = base.platform ? { platform: base.platform } : {};
      const request = { reference: base.from, tag: base.tag, auths, options: { ...options, ...platform } };
      const { digest } = await this.names.pull(request);
      return digest === '' ? [] : [`${normalizeName(base.from).repository}@${digest}`];
    } catch (error) {
      if (error instanceof EngineError && error.kind === 'cancelled') throw error;
      const isHere = await engine.findImage(base.from).catch(() => null);
      const advice = isHere ? ' The host has an image of that name, which is not on its list of local images.' : '';
      const kind = error instanceof EngineError ? error.kind : 'failed';
      const words = `${base.from} could not be pulled: ${toMessage(error).replace(/[.\s]+$/, '')}.${advice}`;
      throw new EngineError(kind, words, { cause: error });
    }
  }

  /** An engine asks a registry for a name that it doesn't have, so ours are looked for before the build. */
  private async require(tag: string): Promise<DescribedImage> {
    const { engine, base } = this;
    const image = await engine.describeImage(tag);
    if (image && this.isOfPlatform(image)) return image;
    throw new EngineError('not-found', `There is no ${base.platform} image of ${base.from}`);
  }

  private isOfPlatform({ platform }: DescribedImage): boolean {
    const { platform: wanted } = this.base;
    return wanted === '' || platform === wanted || platform.startsWith(`${wanted}/`);
  }
}

/** What a build prints, with the names that people wrote in place of those of the host. */
export function nameBases(text: string, bases: readonly BaseImageSpec[]): string {
  return bases.reduce((named, { tag, from }) => named.replaceAll(`docker.io/${tag}`, from).replaceAll(tag, from), text);
}
