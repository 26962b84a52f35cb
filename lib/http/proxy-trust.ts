import { BlockList, isIP } from 'node:net';

export interface ProxyTrust {
  /** The caller's address: the socket's, or behind a trusted proxy the nearest one in X-Forwarded-For that is not trusted. */
  clientAddress(socketAddress: string, forwardedFor: string): string;
  /** Whether the caller spoke https: only a trusted proxy is believed. */
  isSecure(socketAddress: string, forwardedProto: string): boolean;
}

function plain(address: string): string {
  return address.startsWith('::ffff:') ? address.slice(7) : address;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

/** Believes X-Forwarded-* from the given CIDRs or addresses only. Throws on one that can't be read. */
export function createProxyTrust(cidrs: readonly string[]): ProxyTrust {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [address = '', bits] = cidr.split('/');
    if (isIP(address) === 0) throw new Error(`BERTH_TRUSTED_PROXIES: "${cidr}" is no address or CIDR`);
    if (bits === undefined) list.addAddress(address, familyOf(address));
    else list.addSubnet(address, Number(bits), familyOf(address));
  }
  // Most installations trust nobody, and a check costs more than the rest of a request's head.
  const isTrusted = (address: string): boolean =>
    cidrs.length > 0 && isIP(address) !== 0 && list.check(address, familyOf(address));
  return {
    clientAddress(socketAddress, forwardedFor) {
      let address = plain(socketAddress);
      const hops = forwardedFor.split(',').map((hop) => plain(hop.trim()));
      while (isTrusted(address) && hops.length > 0) {
        const next = hops.pop()!;
        if (isIP(next) === 0) break;
        address = next;
      }
      return address;
    },
    isSecure(socketAddress, forwardedProto) {
      return isTrusted(plain(socketAddress)) && forwardedProto.split(',').at(-1)?.trim() === 'https';
    },
  };
}
