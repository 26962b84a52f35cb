import 'server-only';
import { createHash } from 'node:crypto';
import { imagesTable } from '@/db/schema/images';
import { fieldError } from '@/lib/errors';
import { type HostRow, hosts } from '@/lib/hosts/collection';
import { accountKey, findAccount, toJobAccount } from '@/lib/hosts/registry-accounts';
import { type Actor, actorUserId } from '@/lib/policies/actor';
import { baseTag, normalizeName, normalizedText, ownRepository, ownTag, readOwnName } from '@/lib/protocol/image-names';
import type { BaseImageSpec, ContextFileSpec, JobSpec } from '@/lib/protocol/specs/job';
import { allows } from '@/lib/policies/evaluate';
import { mayAct } from '@/lib/records/can';
import { StoredFacts } from '@/lib/records/facts';
import type { StoreReader } from '@/lib/records/transaction';
import type { BuildLock } from '@/lib/vocabulary/build-lock';
import { parseImageName } from '@/lib/vocabulary/image-name';
import { imageReference } from '@/lib/vocabulary/image-reference';
import { readBuildArguments } from './build-parameters';
import type { ImageRow } from './collection';
import { type PlacedFile, placeFiles, toContextFiles } from './context-files';
import { generateCheck } from './generator/generate-check';
import { type GeneratedImage, generateImage, type ImageRecipe, lockPathOf } from './generator/generate-image';
import { goodBuildOf } from './good-build';
import { packageSources, readRecipe, type RecipeRow } from './image-recipe';
import { imagesPolicy } from './policy';
import { DockerfileRefusal, type NameUse, rewriteDockerfile, type RewrittenDockerfile } from './rewrite-dockerfile';

/** The collection's own checks come here, so it is not asked. */
const images = { name: 'images', table: imagesTable };

export interface BuildPlan extends RewrittenDockerfile {
  bases: BaseImageSpec[];
  /** Files of the build context besides the Dockerfile; none of a draft. */
  context: ContextFileSpec[];
  /** Where a generated image says what each of its environments has. */
  lock?: JobSpecOfBuild['lock'];
}
type JobSpecOfBuild = Extract<JobSpec, { job: 'build' }>;

export interface PlanOptions {
  image: Pick<ImageRow, 'creationType' | 'dockerfile' | 'buildArguments' | 'force_pull_base' | 'files' | 'filePaths'> &
    RecipeRow;
  host: HostRow;
  actor: Actor;
  reader: StoreReader;
  /** Whether images that are only named, and not built yet, will do. */
  isDraft?: boolean;
  /** What it is to come to, in place of what its lists may come to. */
  lock?: BuildLock | undefined;
}

/** What names are looked up for. */
type ResolveOptions = Pick<PlanOptions, 'host' | 'actor' | 'reader' | 'isDraft' | 'lock'> & {
  image: Pick<ImageRow, 'baseImage' | 'force_pull_base'> & Partial<Pick<ImageRow, 'buildArguments'>>;
};

/**
 * What an image is built from on its host: its Dockerfile with names of the host's own, and what they stand for. Throws
 * `invalid` at the field that names what the actor may not use or what can't be built.
 */
export function planBuild(options: PlanOptions): BuildPlan {
  const { image, reader, isDraft } = options;
  const placed = placeFiles(image, reader);
  const generated = generateFor(image, placed, options.lock);
  const rewritten = rewrite(generated?.dockerfile ?? image.dockerfile, options, generated !== undefined);
  const texts = (generated?.files ?? []).map((file) => ({ from: 'text' as const, ...file }));
  const context = isDraft ? [] : [...texts, ...toContextFiles(placed, image.creationType)];
  const lock = generated?.environments.map((environment) => ({ environment, path: lockPathOf(environment) }));
  return { ...rewritten, context, ...(lock && { lock }) };
}

/** What environments are checked with on a host. Throws as `planBuild` does. */
export function planCheck({
  recipe,
  ...by
}: Pick<PlanOptions, 'host' | 'actor' | 'reader'> & {
  recipe: Pick<ImageRecipe, 'baseImage' | 'channels' | 'environments'>;
}): Pick<BuildPlan, 'dockerfile' | 'bases' | 'context'> {
  const whole = { ...recipe, startupCommands: [], userConfiguration: null, filePaths: [] };
  const { dockerfile, files } = generateCheck(whole, packageSources());
  const image = { baseImage: recipe.baseImage, force_pull_base: false };
  const context = files.map((file) => ({ from: 'text' as const, ...file }));
  return { ...rewrite(dockerfile, { ...by, image }, true), context };
}

/** A Dockerfile with names of the host's own, and what they stand for. */
function rewrite(
  dockerfile: string,
  options: ResolveOptions,
  isGenerated: boolean,
): RewrittenDockerfile & Pick<BuildPlan, 'bases'> {
  const { image, host } = options;
  const bases = new Map<string, BaseImageSpec>();
  let named = '';
  const resolve = (use: NameUse): string => {
    named = use.name;
    const base = pinBase(resolveBase(use, options), options.lock);
    bases.set(base.tag, base);
    return base.tag;
  };
  try {
    const buildArgs = readBuildArguments(image.buildArguments ?? null);
    const rewritten = rewriteDockerfile(dockerfile, { resolve, buildArgs, platform: host.platform });
    return { ...rewritten, bases: [...bases.values()] };
  } catch (error) {
    if (!(error instanceof DockerfileRefusal)) throw error;
    if (!isGenerated) throw fieldError('dockerfile', 'validation_invalid_dockerfile', error.message);
    const message = error.message.replace(/^Line \d+: /, '');
    // What a list needs beside the base that was chosen.
    const field = named === image.baseImage || named === '' ? 'baseImage' : 'environments';
    throw fieldError(field, 'validation_invalid_dockerfile', message);
  }
}

/** What an image is built from that nobody wrote; undefined of a written Dockerfile. */
function generateFor(
  image: PlanOptions['image'],
  placed: readonly PlacedFile[],
  lock: BuildLock | undefined,
): (GeneratedImage & { environments: string[] }) | undefined {
  if (image.creationType !== 'generateDockerfile') return undefined;
  // The first image that a generated Dockerfile names is what it starts from.
  const baseImage = lock?.bases[0]?.name ?? image.baseImage;
  const recipe = readRecipe(
    { ...image, baseImage },
    placed.map(({ path }) => path),
    lock,
  );
  return { ...generateImage(recipe, packageSources()), environments: recipe.environments.map(({ name }) => name) };
}

/** The very image that a lock has under that name. Who may not use the name any more has been refused by now. */
function pinBase(base: BaseImageSpec, lock: BuildLock | undefined): BaseImageSpec {
  const held = lock?.bases.find(({ name }) => name === base.from);
  if (!held) return base;
  const { id: _, ...others } = base;
  const { imageId, digest } = held;
  const key = ['pin', imageId, base.platform].join('\n');
  const tag = baseTag(createHash('sha256').update(key).digest('hex').slice(0, 40));
  return { ...others, tag, pin: { imageId, digest } };
}

function resolveBase(use: NameUse, options: ResolveOptions): BaseImageSpec {
  const { name, line, platform } = use;
  const { image, host, actor } = options;
  const refuse = (words: string): DockerfileRefusal => new DockerfileRefusal(`Line ${line}: ${words}`);
  if (!parseImageName(name)) throw refuse(`${name} is no name of an image.`);
  const unknown = `there is no image ${name} on host ${host.name} that you may build on.`;
  const own = readOwnName(name);
  const isLocal = (host.local_images ?? []).some((allowed) => coversName(allowed, name));
  if (!isLocal) {
    const found = own ? findByOwnName(own.repository, options) : findByName(name, options);
    const isPulledAnew = !own && found?.creationType === 'pullAnImage' && image.force_pull_base;
    if (found && !isPulledAnew) return toBase(found, { use, options, number: own?.number });
    if (own || isOfHost(name)) throw refuse(unknown);
  }
  const answer = findAccount(host, { actor, reference: name, use: 'pull' });
  if ('refusal' in answer && !isLocal) throw refuse(answer.refusal);
  const account = 'refusal' in answer ? undefined : answer.account;
  // Who may change the host could allow it, too.
  const local = isLocal || mayAct(hosts, { actor, act: 'modify', row: host });
  const key = [accountKey(name, account), platform, local].join('\n');
  const tag = baseTag(createHash('sha256').update(key).digest('hex').slice(0, 40));
  return { from: name, tag, id: '', local, platform, account: toJobAccount(account) };
}

/** Names that nobody but Berth gives where nothing else is chosen: no registry is asked for them. */
function isOfHost(name: string): boolean {
  return normalizeName(name).repository.startsWith('docker.io/berth/');
}

/** Whether a name that a host's settings allow, of a repository or of one image, means this one. */
export function coversName(allowed: string, name: string): boolean {
  const { tag, digest } = parseImageName(allowed) ?? { tag: '', digest: '' };
  if (tag === '' && digest === '') return normalizeName(allowed).repository === normalizeName(name).repository;
  return normalizedText(allowed) === normalizedText(name);
}

/** The builder may use it; one that he may not deploy is as if it did not exist. */
function takeUsable(ids: readonly string[], { actor, reader }: ResolveOptions): ImageRow[] {
  const rows = ids.map((id) => reader.get(images, id)).filter((row) => row !== undefined);
  return rows.filter((row) => allows(imagesPolicy.can.deploy, actor, row, new StoredFacts()));
}

function findByOwnName(repository: string, options: ResolveOptions): ImageRow | undefined {
  const same = listNames(options).filter(({ id }) => ownRepository(id) === repository);
  return takeUsable(
    same.map(({ id }) => id),
    options,
  )[0];
}

/**
 * The image that someone made on the host under this name. Names of Docker Hub's own collection, as in `ubuntu`, are never
 * those of somebody else's build.
 */
function findByName(name: string, options: ResolveOptions): ImageRow | undefined {
  const userId = actorUserId(options.actor);
  const wanted = normalizedText(name);
  const isOfficial = normalizeName(name).repository.startsWith('docker.io/library/');
  const same = listNames(options).filter((image) => normalizedText(imageReference(image)) === wanted);
  const claimed = same.filter(
    (image) => !isOfficial || image.created_by === userId || image.creationType === 'pullAnImage',
  );
  const usable = takeUsable(
    claimed.map(({ id }) => id),
    options,
  );
  return usable.find((image) => image.created_by === userId) ?? usable[0];
}

function listNames({ reader, host }: ResolveOptions) {
  const parts = ['id', 'created_by', 'creationType', 'dockerImageName', 'repository', 'tag'] as const;
  return reader.findParts(images, parts, { build_on: host.id, template: false });
}

function toBase(
  found: ImageRow,
  { use, options, number }: { use: NameUse; options: ResolveOptions; number: number | undefined },
): BaseImageSpec {
  const build = goodBuildOf(options.reader, found, number);
  if (!build && !options.isDraft) {
    const which = number === undefined ? 'is not built yet' : `has no build ${number}`;
    throw new DockerfileRefusal(`Line ${use.line}: image ${found.name} ${which}.`);
  }
  const { number: built, engineId } = build ?? { number: 0, engineId: '' };
  return { from: use.name, tag: ownTag(found.id, built), id: engineId, local: false, platform: use.platform };
}
