import 'server-only';
import { users } from './collection';
import { StoreReader } from '@/lib/records/transaction';

const MAX_LENGTH = 100;
const SUFFIX_MAX = 1000;

/** The first of the wished names that can be one, with a number behind it while it is taken; empty where none can be. */
export function freeUsername(...wishes: unknown[]): string {
  const reader = new StoreReader();
  for (const wish of wishes) {
    const name = cleanName(wish);
    if (name === '') continue;
    for (let suffix = 1; suffix <= SUFFIX_MAX; suffix += 1) {
      const candidate = suffix === 1 ? name : `${name}${suffix}`;
      if (reader.findAnyCase(users, 'username', candidate).length === 0) return candidate;
    }
  }
  return '';
}

/** `Mara Lindqvist` → `Mara.Lindqvist`; `mara@example.org` → `mara`. */
function cleanName(wish: unknown): string {
  if (typeof wish !== 'string') return '';
  const name = wish
    .trim()
    .replace(/@.*$/, '')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/\s+/g, '.')
    .replace(/[^\w.-]/g, '')
    .replace(/^[^\w]+/, '')
    .slice(0, MAX_LENGTH);
  return name.length >= 3 ? name : '';
}
