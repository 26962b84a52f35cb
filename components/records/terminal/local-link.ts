import type { WorkspaceAddress } from '@/components/records/addresses';

const LOCAL_NAMES = new Set(['localhost', '127.0.0.1', '0.0.0.0', '[::1]', '[::]']);

export type LinkTarget = { kind: 'open'; url: string } | { kind: 'unpublished'; port: number } | { kind: 'none' };

/** Where a link of a terminal leads from this browser: what the container calls itself is the workspace's published port. */
export function targetOf(text: string, addresses: readonly WorkspaceAddress[]): LinkTarget {
  const url = URL.parse(text);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return { kind: 'none' };
  if (!LOCAL_NAMES.has(url.hostname)) return { kind: 'open', url: url.href };
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80);
  const published = addresses.find((address) => address.port === port);
  if (!published) return { kind: 'unpublished', port };
  const target = new URL(published.url);
  target.protocol = url.protocol;
  return { kind: 'open', url: `${target.origin}${url.pathname}${url.search}${url.hash}` };
}
