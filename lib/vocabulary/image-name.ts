const HOST =
  /^(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*(?::(\d{1,5}))?$/;
const PATH_PART = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*$/;
const TAG = /^\w[\w.-]{0,127}$/;
const DIGEST = /^sha256:[a-f0-9]{64}$/;

export const INVALID_IMAGE_NAME = 'Invalid Docker image name!';

/** An image name's parts: `registry:5000/team/app:1.0@sha256:…`. */
export interface ImageName {
  repository: string;
  tag: string;
  digest: string;
}

/** Reads a Docker image name; undefined when it is none. */
export function parseImageName(name: string): ImageName | undefined {
  if (name.length > 512) return undefined;
  const [plain = '', digest = '', ...more] = name.split('@');
  if (more.length > 0 || (name.includes('@') && !DIGEST.test(digest))) return undefined;
  const colon = plain.lastIndexOf(':');
  const hasTag = colon > plain.lastIndexOf('/');
  const repository = hasTag ? plain.slice(0, colon) : plain;
  const tag = hasTag ? plain.slice(colon + 1) : '';
  if ((hasTag && !TAG.test(tag)) || !isRepository(repository)) return undefined;
  return { repository, tag, digest };
}

/** Whether the text is an image name without tag and digest. */
export function isRepository(repository: string): boolean {
  const parts = repository.split('/');
  const isHosted = parts.length > 1 && (/[.:]/.test(parts[0]!) || parts[0] === 'localhost');
  if (isHosted && !isRegistryHost(parts[0]!)) return false;
  const path = isHosted ? parts.slice(1) : parts;
  return repository.length <= 255 && path.length > 0 && path.every((part) => PATH_PART.test(part));
}

function isRegistryHost(host: string): boolean {
  const match = HOST.exec(host);
  if (!match) return false;
  const port = match[1] === undefined ? 1 : Number(match[1]);
  return port >= 1 && port <= 65_535;
}

export function isTag(tag: string): boolean {
  return TAG.test(tag);
}

/** Where a built image is kept when its user names no repository: `berth/<slug of its name>`. */
export function defaultRepository(name: string): string {
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return `berth/${slug.slice(0, 100).replace(/-+$/, '') || 'image'}`;
}
