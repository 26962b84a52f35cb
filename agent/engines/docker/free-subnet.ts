import { networkInterfaces } from 'node:os';
import { parseRange } from '../../../lib/protocol/ipv4-range';

/** Where the agent's bridges get their addresses: 256 networks, where Docker's own ranges have room for about thirty. */
export const USUAL_POOL = '172.30.0.0/16';

const SUBNET_BITS = 24;

/** The /24s of the pool that nothing named overlaps, in order. */
export function listFreeSubnets(pool: string, taken: string[]): string[] {
  const whole = parseRange(pool);
  if (!whole) return [];
  const busy = taken.flatMap((cidr) => parseRange(cidr) ?? []);
  const step = 2 ** (32 - SUBNET_BITS);
  const free: string[] = [];
  for (let first = whole.first; first + step - 1 <= whole.last; first += step) {
    const isTaken = busy.some((range) => range.first <= first + step - 1 && range.last >= first);
    if (!isTaken) free.push(`${toAddress(first)}/${SUBNET_BITS}`);
  }
  return free;
}

/** The ranges that this machine's own interfaces are in. */
export function listOwnRanges(): string[] {
  return Object.values(networkInterfaces()).flatMap((all) => (all ?? []).flatMap(({ cidr }) => cidr ?? []));
}

function toAddress(value: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(value / 2 ** shift) % 256).join('.');
}
