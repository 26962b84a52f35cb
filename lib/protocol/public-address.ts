import { BlockList, isIP } from 'node:net';

/** Addresses that only the host or its own network reaches, or nobody. */
const blocked = new BlockList();
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  blocked.addSubnet(network, prefix, 'ipv4');
}
/** All that is public lies within; what is carved out of it is not. */
const globalIpv6 = new BlockList();
globalIpv6.addSubnet('2000::', 3, 'ipv6');
const blockedIpv6 = new BlockList();
for (const [network, prefix] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
] as const) {
  blockedIpv6.addSubnet(network, prefix, 'ipv6');
}

/** Whether an IP address is one of the internet. Addresses that carry an IPv4 address inside are not. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !blocked.check(address, 'ipv4');
  return isIP(address) === 6 && globalIpv6.check(address, 'ipv6') && !blockedIpv6.check(address, 'ipv6');
}

/** Why a build may not fetch from an address, as far as the text tells; empty when its name still has to be looked up. */
export function describeFetch(source: string): string {
  if (!/^https?:\/\/([A-Za-z0-9.-]+|\[[0-9a-fA-F:.]+\])(:\d+)?([/?#]|$)/.test(source)) {
    return 'write out the host of the address that it fetches, with http or https and without a sign-in.';
  }
  let host: string;
  try {
    host = hostOf(source);
  } catch {
    return 'the address that it fetches is none.';
  }
  const isInside = isIP(host) !== 0 ? !isPublicAddress(host) : !/\./.test(host) || INSIDE.test(host);
  return isInside ? `it fetches from ${host}, which is no address of the internet.` : '';
}

const INSIDE = /(^|\.)(localhost|local|internal|intranet|lan|home\.arpa|localdomain)\.?$/i;

/** The host of a web address, as builders read it. */
export function hostOf(source: string): string {
  return new URL(source.split('$')[0]!).hostname.replace(/^\[|\]$/g, '');
}
