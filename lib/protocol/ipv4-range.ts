export interface Ipv4Range {
  first: number;
  last: number;
}

/** Null for what is no IPv4 range, such as `10.0.0.0/8`. */
export function parseRange(cidr: string): Ipv4Range | null {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})\/(\d{1,2})$/.exec(cidr);
  if (!match) return null;
  const [a, b, c, d, bits] = match.slice(1).map(Number) as [number, number, number, number, number];
  if (Math.max(a, b, c, d) > 255 || bits > 32) return null;
  const size = 2 ** (32 - bits);
  const address = ((a * 256 + b) * 256 + c) * 256 + d;
  const first = address - (address % size);
  return { first, last: first + size - 1 };
}

export const NO_RANGE = 'must be an IPv4 range such as 172.30.0.0/16';
