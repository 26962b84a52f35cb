import 'server-only';
import { workspacesTable } from '@/db/schema/workspaces';
import { AppError, type FieldProblem, type FieldProblems } from '@/lib/errors';
import { env } from '@/lib/env';
import { appsPlace } from '@/lib/settings/apps-place';
import { forwardAuthAddress } from '@/lib/settings/forward-auth';
import type { HostRow } from '@/lib/hosts/collection';
import { allows } from '@/lib/policies/evaluate';
import type { Actor } from '@/lib/policies/actor';
import { StoredFacts } from '@/lib/records/facts';
import type { StoreReader } from '@/lib/records/transaction';
import { proxyTypeOf } from '@/lib/vocabulary/host';
import { readAppHost } from '@/lib/vocabulary/app-address';
import { parsePorts } from '@/lib/vocabulary/ports';
import type { ExternalUrl, PortMapping } from '@/lib/vocabulary/workspace';
import { workspacesPolicy } from './policy';
import { hostNameOf } from './routes-of';

const table = { name: 'workspaces', table: workspacesTable };
/** The first version of the agent's words in which there are addresses. */
const ROUTES_PROTOCOL = 6;

/** Why a host can't give addresses to workspaces; undefined when it can. */
export function addressProblem(host: HostRow, urls: readonly ExternalUrl[] | null): FieldProblem | undefined {
  if (!urls || urls.length === 0) return undefined;
  if (proxyTypeOf(host.reverse_proxy) === 'none') {
    const message = `${host.name} has no reverse proxy, which addresses need. Add one to the host first.`;
    return { code: 'validation_no_reverse_proxy', message };
  }
  const spoken = host.engine?.protocol;
  if (spoken === undefined || spoken >= ROUTES_PROTOCOL) return undefined;
  const message = `The agent on host ${host.name} is too old for external addresses: update it.`;
  return { code: 'validation_agent_too_old', message };
}

interface Holder {
  id: string;
  externalUrls: ExternalUrl[] | null;
}

/** Addresses of a workspace that are somebody else's: another workspace's, on whatever host, or the console's own. */
export function findTaken(tx: StoreReader, row: Holder, actor: Actor): Map<number, FieldProblem> {
  const found = new Map<number, FieldProblem>();
  const names = (row.externalUrls ?? []).map((url) => hostNameOf(tx, url));
  if (names.every((name) => name === undefined)) return found;
  const own = consoleNames();
  const holders = listHolders(tx, row.id);
  names.forEach((name, index) => {
    if (!name) return;
    const holder = holders.get(name);
    if (own.has(name) || isServedName(name)) found.set(index, taken('This is the address of the console.'));
    else if (holder) {
      const mayName = allows(workspacesPolicy.can.view, actor, holder, new StoredFacts());
      found.set(index, taken(`The address is taken by ${mayName ? holder.name : 'another workspace'}.`));
    }
  });
  return found;
}

const taken = (message: string): FieldProblem => ({ code: 'validation_address_taken', message });

function consoleNames(): Set<string> {
  return new Set([env().publicUrl, forwardAuthAddress()].map((url) => new URL(url).hostname));
}

/** Ports of workspaces have their names from the console itself. */
function isServedName(name: string): boolean {
  const place = appsPlace();
  return place !== undefined && readAppHost(name, place)?.app !== undefined;
}

/** Whoever answers under a name answers for all of it: http and https are one. Templates have no address yet. */
function listHolders(tx: StoreReader, ownId: string) {
  const others = tx
    .findParts(table, ['id', 'name', 'created_by', 'externalUrls'], { template: false })
    .filter(({ id, externalUrls }) => id !== ownId && (externalUrls ?? []).length > 0);
  const holders = new Map<string, (typeof others)[number]>();
  for (const other of others) {
    for (const url of other.externalUrls ?? []) {
      const name = hostNameOf(tx, url);
      if (name) holders.set(name, other);
    }
  }
  return holders;
}

/** A domain may have been renamed since. Throws AppError `invalid` with the addresses that are somebody else's. */
export function requireOwnAddresses(tx: StoreReader, row: Holder, actor: Actor): void {
  const found = findTaken(tx, row, actor);
  if (found.size === 0) return;
  const fields = Object.fromEntries([...found].map(([index, problem]) => [index, { subdomain: problem }]));
  const words = [...new Set([...found.values()].map(({ message }) => message))].join(' ');
  throw new AppError('invalid', words, { fields: { externalUrls: fields } });
}

interface Opening {
  externalUrls: ExternalUrl[] | null;
  portMappings: PortMapping[] | null;
}

/**
 * Ports that are behind a log-in and published beside it as well, where nobody is asked: at the address or at the mapping,
 * whichever is said. What is bound to the host's own loopback is reached from there alone.
 */
export function findOpenings(
  { externalUrls, portMappings }: Opening,
  at: 'externalUrls' | 'portMappings',
): FieldProblems {
  const problems: FieldProblems = {};
  const urls = (externalUrls ?? []).filter(({ authentication }) => authentication !== 'none');
  const mappings = (portMappings ?? []).filter(isOpenToOthers);
  const [asked, other] = at === 'externalUrls' ? [externalUrls ?? [], mappings] : [portMappings ?? [], urls];
  asked.forEach((item, index) => {
    const isAbout = at === 'externalUrls' ? urls.includes(item as ExternalUrl) : mappings.includes(item as PortMapping);
    const port = isAbout ? other.map((each) => sharedPort(item, each)).find((each) => each !== undefined) : undefined;
    if (port === undefined) return;
    const message = `Port ${port} asks who comes at its address, and is published on the host where nobody is asked.`;
    problems[index] = { [at === 'externalUrls' ? 'port' : 'containerPort']: { code: 'validation_port_open', message } };
  });
  return problems;
}

function sharedPort(one: ExternalUrl | PortMapping, other: ExternalUrl | PortMapping): number | undefined {
  const [url, mapping] = 'port' in one ? [one, other as PortMapping] : [other as ExternalUrl, one];
  const range = parsePorts(mapping.containerPort);
  return range && url.port >= range.first && url.port <= range.last ? url.port : undefined;
}

function isOpenToOthers({ protocol, hostIp }: PortMapping): boolean {
  return protocol === 'tcp' && hostIp !== 'localhost' && hostIp !== '::1' && !hostIp.startsWith('127.');
}
