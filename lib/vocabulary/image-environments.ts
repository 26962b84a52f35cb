import type { ImageEnvironment } from './image';

type Fields = Record<string, unknown>;

/**
 * An image's environments as they are stored. Records of before bind a version in two fields of the package. What is neither
 * comes back as it is: it may be on its way to being refused.
 */
export function readEnvironments(stored: unknown): ImageEnvironment[] {
  if (!Array.isArray(stored)) return [];
  return (stored.some(isFormer) ? stored.map(toEnvironment) : stored) as ImageEnvironment[];
}

function isFormer(environment: unknown): boolean {
  if (!isObject(environment)) return false;
  const { packages } = environment;
  const hasFlat = Array.isArray(packages) && packages.some((each) => isObject(each) && 'constraint' in each);
  return 'manager' in environment || hasFlat;
}

function toEnvironment(environment: unknown): unknown {
  if (!isObject(environment)) return environment;
  const { name, channels, packages } = environment;
  return { name, channels: channels ?? [], packages: Array.isArray(packages) ? packages.map(toPackage) : [] };
}

function toPackage(each: unknown): unknown {
  if (!isObject(each) || isObject(each.version)) return each;
  const { manager, channel, name, constraint, version } = each;
  const bound = { constraint: constraint ?? 'unconstrained', specifier: version ?? '' };
  return { manager, channel: channel ?? '', name, version: bound, description: '', latestVersion: '' };
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
