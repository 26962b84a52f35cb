import 'server-only';
import { isIP } from 'node:net';
import { env } from '@/lib/env';
import type { HostRow } from '@/lib/hosts/collection';
import { isLocalName, resolveName } from './ask-dns';

/**
 * Where hosts are reached, as their records say it; of a host that says nothing it is the console's own name, as long as that
 * is no name of this machine alone. Empty where nobody knows.
 */
export async function knownAddresses(hosts: readonly Pick<HostRow, 'address'>[]): Promise<string[]> {
  const names = [...new Set(hosts.map(({ address }) => address || consoleName()).filter(Boolean))];
  const found = await Promise.all(
    names.map(async (name) => (isIP(name) === 0 ? (await resolveName(name.toLowerCase())).addresses : [name])),
  );
  return [...new Set(found.flat().map(plainAddress))];
}

/** One spelling for each address. */
export function plainAddress(address: string): string {
  if (isIP(address) !== 6) return address;
  return new URL(`http://[${address}]`).hostname.slice(1, -1);
}

function consoleName(): string {
  const name = new URL(env().publicUrl).hostname.replace(/^\[|\]$/g, '');
  return isLocalName(name) || name === '::1' || name.startsWith('127.') ? '' : name;
}
