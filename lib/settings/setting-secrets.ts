import 'server-only';
import { sealOrKeep } from '@/lib/records/secret-values';

const SECRET_NAME = /secret|password/i;

function isSecret(key: string, value: unknown): value is string {
  return SECRET_NAME.test(key) && typeof value === 'string';
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A setting's value with every text under a name like secret or password sealed; empty ones keep what is stored there. */
export function sealSecrets(value: unknown, stored: unknown): unknown {
  if (Array.isArray(value))
    return value.map((item, index) => sealSecrets(item, Array.isArray(stored) ? stored[index] : null));
  if (!isObject(value)) return value;
  const known = isObject(stored) ? stored : {};
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const before = Object.hasOwn(known, key) ? known[key] : undefined;
      if (!isSecret(key, item)) return [key, sealSecrets(item, before)];
      return [key, sealOrKeep(item, typeof before === 'string' ? before : undefined)];
    }),
  );
}

/** The value as it leaves: secrets are empty texts. */
export function hideSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hideSecrets);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, isSecret(key, item) ? '' : hideSecrets(item)]),
  );
}
