import 'server-only';
import { domainsTable } from '@/db/schema/domains';
import type { RouteSpec } from '@/lib/protocol/specs/route';
import type { StoreReader } from '@/lib/records/transaction';
import type { ExternalUrl } from '@/lib/vocabulary/workspace';

const domains = { name: 'domains', table: domainsTable };

/** The name of an address, as browsers ask for it; undefined where its domain is gone. */
export function hostNameOf(reader: StoreReader, { subdomain, domain }: ExternalUrl): string | undefined {
  const url = reader.get(domains, domain)?.url;
  return url && [subdomain, url].filter(Boolean).join('.');
}

/** What a host is asked for a workspace's addresses. Hashes of passwords stay sealed, as they are stored. */
export function routesOf(reader: StoreReader, urls: readonly ExternalUrl[] | null): RouteSpec[] {
  return (urls ?? []).flatMap((url) => {
    const hostName = hostNameOf(reader, url);
    if (!hostName) return [];
    const { scheme, port } = url;
    return [{ scheme, hostName, port, protection: protectionOf(url) }];
  });
}

function protectionOf({ authentication, users }: ExternalUrl): RouteSpec['protection'] {
  if (authentication === 'none') return { kind: 'none' };
  if (authentication === 'internal') return { kind: 'forwardAuth' };
  return { kind: 'basic', users: users.map(({ username, password }) => ({ name: username, hash: password })) };
}

/** The routes with another hash for each of their users. */
export function mapHashes(routes: readonly RouteSpec[], change: (hash: string, name: string) => string): RouteSpec[] {
  return routes.map((route) => {
    const { protection } = route;
    if (protection.kind !== 'basic') return route;
    const users = protection.users.map(({ name, hash }) => ({ name, hash: change(hash, name) }));
    return { ...route, protection: { ...protection, users } };
  });
}
