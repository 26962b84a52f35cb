import 'server-only';
import { type HostRow, hosts } from '@/lib/hosts/collection';
import type { domains } from '@/lib/domains/collection';
import type { Actor } from '@/lib/policies/actor';
import { mayAct } from '@/lib/records/can';
import type { RowOf } from '@/lib/records/collection';
import { StoredFacts } from '@/lib/records/facts';
import { StoreReader } from '@/lib/records/transaction';
import { workspaces, type WorkspaceRow } from '../collection';
import { routesOf } from '../routes-of';
import type { ExternalUrl } from '@/lib/vocabulary/workspace';

/** So many addresses and hosts are looked at. */
const ADDRESSES_MAX = 100;
const HOSTS_MAX = 5;

export interface Address {
  name: string;
  scheme: ExternalUrl['scheme'];
  port: number;
  isUp: boolean;
  host: string;
}

/** What is looked at: names, and the hosts that serve them. */
export interface Subject {
  addresses: Address[];
  hosts: HostRow[];
}

type Parts = Pick<WorkspaceRow, 'host' | 'status' | 'externalUrls'>;

/** The addresses of a workspace at one name. */
export function subjectOfWorkspace(row: Parts, name: string): Subject {
  const reader = new StoreReader();
  const addresses = addressesOf(reader, row, row.externalUrls ?? []).filter((address) => address.name === name);
  return { addresses, hosts: hostsOf(reader, [row.host]) };
}

/** The addresses under a domain as far as the actor may see their workspaces, and the hosts that serve it. */
export function subjectOfDomain(domain: RowOf<typeof domains.table>, actor: Actor): Subject {
  const reader = new StoreReader();
  const facts = new StoredFacts();
  const addresses = reader
    .findParts(workspaces, ['id', 'name', 'created_by', 'host', 'status', 'externalUrls'], {})
    .filter(({ externalUrls }) => externalUrls?.some((url) => url.domain === domain.id))
    .filter((row) => mayAct(workspaces, { actor, act: 'view', row, facts }))
    .flatMap((row) => addressesOf(reader, row, row.externalUrls?.filter((url) => url.domain === domain.id) ?? []))
    .toSorted((a, b) => a.name.localeCompare(b.name))
    .slice(0, ADDRESSES_MAX);
  const ids = domain.host === '' ? addresses.map(({ host }) => host) : [domain.host];
  return { addresses, hosts: hostsOf(reader, ids) };
}

function addressesOf(reader: StoreReader, { host, status }: Parts, urls: readonly ExternalUrl[]): Address[] {
  const isUp = status === 'running';
  return routesOf(reader, urls).map(({ hostName, scheme, port }) => ({ name: hostName, scheme, port, isUp, host }));
}

function hostsOf(reader: StoreReader, ids: readonly string[]): HostRow[] {
  return [...new Set(ids)].slice(0, HOSTS_MAX).flatMap((id) => reader.get(hosts, id) ?? []);
}
