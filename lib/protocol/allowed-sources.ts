import { BlockList, isIP } from 'node:net';
import { describeFetch, hostOf, isPublicAddress } from './public-address';

export const NO_SOURCES = 'must name hosts, addresses or ranges such as 10.1.0.0/16, with commas between';

/** The entries of a list, as people write it. */
export function listSources(text: string): string[] {
  return text.split(/[\s,]+/).filter(Boolean);
}

export function isSourceList(text: string): boolean {
  return listSources(text).every((entry) => isHostName(entry) || readRange(entry) !== undefined);
}

function isHostName(entry: string): boolean {
  return /^[A-Za-z0-9.-]+$/.test(entry) && !/^[\d.]+$/.test(entry);
}

function readRange(entry: string): { network: string; prefix: number; family: 'ipv4' | 'ipv6' } | undefined {
  const [network = '', bits] = entry.split('/');
  const version = isIP(network);
  if (version === 0) return undefined;
  const most = version === 4 ? 32 : 128;
  const prefix = bits === undefined ? most : /^\d{1,3}$/.test(bits) ? Number(bits) : most + 1;
  return prefix <= most ? { network, prefix, family: version === 4 ? 'ipv4' : 'ipv6' } : undefined;
}

/** What files may be fetched from: the internet, and what an admin allows of the own network. */
export class AllowedSources {
  private readonly hosts = new Set<string>();
  private readonly ranges = new BlockList();

  constructor(entries: readonly string[]) {
    for (const entry of entries) {
      const range = readRange(entry);
      if (range) this.ranges.addSubnet(range.network, range.prefix, range.family);
      else this.hosts.add(entry.toLowerCase());
    }
  }

  /** Why nothing may be fetched from there, as far as the text tells; empty when its name still has to be looked up. */
  describe(url: string): string {
    const problem = describeFetch(url);
    if (problem === '' || !URL.canParse(url)) return problem;
    const { protocol, username, password } = new URL(url);
    const isPlain = /^https?:$/.test(protocol) && username === '' && password === '';
    const host = hostOf(url);
    const isAllowed = this.hosts.has(host.toLowerCase()) || (isIP(host) !== 0 && this.allowsAddress(host));
    return isPlain && isAllowed ? '' : problem;
  }

  /** Whether this address of a host may be dialled. */
  allows(host: string, address: string): boolean {
    return isPublicAddress(address) || this.hosts.has(host.toLowerCase()) || this.allowsAddress(address);
  }

  private allowsAddress(address: string): boolean {
    const version = isIP(address);
    return version !== 0 && this.ranges.check(address, version === 4 ? 'ipv4' : 'ipv6');
  }
}
