const DOCKER_HUB = 'docker.io';
const OWN = 'berth';

/** What an image's name means, however it is spelled: `x/y` and `docker.io/x/y:latest` are one. */
export interface NormalName {
  /** As in `docker.io`, in lower case and without the usual port. */
  registry: string;
  /** With its registry, as in `docker.io/library/redis`. */
  repository: string;
  /** `latest` where nothing is said; empty for a digest. */
  tag: string;
  digest: string;
}

/** A sign-in's address without scheme and path; every name of Docker Hub is one. */
export function normalizeRegistry(address: string): string {
  const host = address
    .replace(/^https?:\/\//i, '')
    .replace(/\/.*$/, '')
    .replace(/:443$/, '')
    .toLowerCase();
  return /^(index\.|registry-1\.|registry\.)?docker\.io$/.test(host) ? DOCKER_HUB : host;
}

/** The registry that a reference names: its first part when that looks like a host, else Docker Hub. */
export function registryOf(reference: string): string {
  const [first = '', ...rest] = reference.split('/');
  const isHost = rest.length > 0 && (/[.:A-Z]/.test(first) || first === 'localhost');
  return isHost ? normalizeRegistry(first) : DOCKER_HUB;
}

/** Reads a reference that is well formed; what is not comes out as something that equals nothing. */
export function normalizeName(reference: string): NormalName {
  const at = reference.indexOf('@');
  const digest = at < 0 ? '' : reference.slice(at + 1);
  const plain = at < 0 ? reference : reference.slice(0, at);
  const colon = plain.lastIndexOf(':');
  const hasTag = colon > plain.lastIndexOf('/');
  const tag = digest ? '' : hasTag ? plain.slice(colon + 1) : 'latest';
  const name = hasTag ? plain.slice(0, colon) : plain;
  const registry = registryOf(name);
  const [first = '', ...rest] = name.split('/');
  const isHosted = rest.length > 0 && (/[.:A-Z]/.test(first) || first === 'localhost');
  const path = isHosted ? rest.join('/') : name;
  const isOfficial = registry === DOCKER_HUB && !path.includes('/');
  return { registry, repository: `${registry}/${isOfficial ? 'library/' : ''}${path}`, tag, digest };
}

/** One spelling for all that mean the same. */
export function normalizedText(reference: string): string {
  const { repository, tag, digest } = normalizeName(reference);
  return digest ? `${repository}@${digest}` : `${repository}:${tag}`;
}

/** Where a host keeps the builds of an image: a name that only its agent gives, by the record's id. */
export function ownRepository(imageId: string): string {
  return USUAL_ID.test(imageId) ? `${OWN}/${imageId}` : `${OWN}/x-${hexOf(imageId)}`;
}

const USUAL_ID = /^[a-z0-9]{15}$/;

function hexOf(text: string): string {
  return [...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** What a host calls one build of an image. */
export function ownTag(imageId: string, buildNumber: number): string {
  return `${ownRepository(imageId)}:${buildNumber}`;
}

/**
 * What a host calls an image that is pulled anew for one deployment of a workspace, whatever the build's own name stands for.
 * As no host has it before, the pull takes place, and once.
 */
export function freshTag(ownName: string, asked: { workspaceId: string; generation: number }): string {
  const { workspaceId, generation } = asked;
  return `${ownName}-${USUAL_ID.test(workspaceId) ? workspaceId : hexOf(workspaceId)}-${generation}`;
}

/** Whether a name is one that a deployment gave to an image that it pulled anew. */
export function isFreshTag(tag: string): boolean {
  return FRESH_TAG.test(normalizeName(tag).tag) && readOwnName(tag) !== undefined;
}

/** The names among a repository's that earlier deployments of the same workspace gave. */
export function olderFreshTags(tag: string, tags: readonly string[]): string[] {
  const workspace = FRESH_TAG.exec(normalizeName(tag).tag)?.[1];
  return tags.filter((other) => other !== tag && FRESH_TAG.exec(normalizeName(other).tag)?.[1] === workspace);
}

/** What a host calls an image that it took from elsewhere for builds to start from. */
export function baseTag(hash: string): string {
  return `${OWN}/base:${hash}`;
}

const FRESH_TAG = /^\d{1,9}-([a-z0-9]{1,100})-\d{1,9}$/;
const OWN_REPOSITORY = new RegExp(`^docker\\.io/${OWN}/([a-z0-9]{15}|x-[0-9a-f]+)$`);

/** The repository and number of a name that only agents give, or `base`; undefined for other people's names. */
export function readOwnName(reference: string): { repository: string; number: number } | undefined {
  const { repository, tag } = normalizeName(reference);
  const short = repository.slice(DOCKER_HUB.length + 1);
  if (repository === `${DOCKER_HUB}/${OWN}/base` && /^[0-9a-f]{40}$/.test(tag)) return { repository: short, number: 0 };
  if (!OWN_REPOSITORY.test(repository) || !(/^\d{1,9}$/.test(tag) || FRESH_TAG.test(tag))) return undefined;
  return { repository: short, number: Number.parseInt(tag, 10) };
}
