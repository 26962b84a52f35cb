import { domains } from '@/lib/domains/collection';
import type { StoreReader } from '@/lib/records/transaction';
import type { ExternalUrl } from '@/lib/vocabulary/workspace';

/** The addresses that ask the console who comes, as `scheme://subdomain.domain`. */
export function internalAddresses(reader: StoreReader, urls: ExternalUrl[] | null | undefined): Set<string> {
  const internal = (urls ?? []).filter(({ authentication }) => authentication === 'internal');
  return new Set(internal.map((url) => addressOf(url, reader.get(domains, url.domain)?.url ?? '')));
}

export const addressOf = ({ scheme, subdomain }: ExternalUrl, domainName: string): string =>
  `${scheme}://${subdomain ? `${subdomain}.` : ''}${domainName}`;
