import 'server-only';
import type { ConnectionOptions } from 'node:tls';
import type { HostRow } from '@/lib/hosts/collection';
import { addressPorts } from '@/lib/hosts/proxy/find-traefik';
import { newId } from '@/lib/ids';
import { type Look, runLook, skipped, type Verdict, worstOf } from '@/lib/verdict';
import type { WorkspaceRow } from '../collection';
import { resolveName, type Resolved } from './ask-dns';
import { checkCertificate } from './check-certificate';
import { checkListener } from './check-listener';
import { checkRouters } from './check-router';
import { judgeName } from './judge-name';
import { knownAddresses, plainAddress } from './known-addresses';
import { checkPort, reachFor } from './reach';
import type { Address, Subject } from './subjects';

/** Everything that is looked at, in the order in which it is shown. */
export const ADDRESS_CHECKS = ['name', 'wildcard', 'http', 'https', 'certificate', 'router', 'port'] as const;
export type AddressCheck = Verdict & { code: (typeof ADDRESS_CHECKS)[number] };

/** DNS and a connection, one after the other, and a little. */
const LIMIT_MS = 12_000;

export interface Asking {
  isAdmin: boolean;
  signal: AbortSignal;
  /** Authorities that are trusted beside the usual ones. */
  ca?: ConnectionOptions['ca'];
}

/** Whether addresses under a domain open, and what to do where they don't. */
export function examineDomain(url: string, subject: Subject, asking: Asking): Promise<AddressCheck[]> {
  const label = `berth-${newId()}`;
  const { addresses } = subject;
  const known = knownOf(subject);
  const [own, other] = [resolve(url), resolve(`${label}.${url}`)];
  const probed = Promise.all([own, other]).then((both) => both.find((each) => each.addresses.length > 0) ?? both[0]);
  const secure = addresses.find(({ scheme }) => scheme === 'https');
  const looks: [AddressCheck['code'], Look][] = [
    [
      'name',
      async () =>
        judgeName({
          ...(await said(own, known, subject)),
          name: url,
          record: url,
          isNeeded: addresses.some(({ name }) => name === url),
        }),
    ],
    [
      'wildcard',
      async () => judgeName({ ...(await said(other, known, subject)), name: `${label}.${url}`, record: `*.${url}` }),
    ],
    ...portLooks(['http', 'https'], { subject, resolved: probed, known, asking }),
    [
      'certificate',
      () => {
        if (!secure) return skipped('No workspace that you see has an https address under this domain.');
        return lookAtCertificate(secure, { subject, resolved: resolve(secure.name), known, asking });
      },
    ],
    ['router', () => lookAtRouters(url, subject, asking)],
  ];
  return runAll(looks);
}

/** Whether the addresses of a workspace at one name open, and what to do where they don't. */
export function examineAddress(workspace: WorkspaceRow, subject: Subject, asking: Asking): Promise<AddressCheck[]> {
  const { addresses } = subject;
  const { name } = addresses[0]!;
  const known = knownOf(subject);
  const resolved = resolve(name);
  const way = { subject, resolved, known, asking };
  const secure = addresses.find(({ scheme }) => scheme === 'https');
  const ports = [...new Set(addresses.map(({ port }) => port))];
  const looks: [AddressCheck['code'], Look][] = [
    ['name', async () => judgeName({ ...(await said(resolved, known, subject)), name, record: name })],
    ...portLooks([...new Set(addresses.map(({ scheme }) => scheme))].toSorted(), way),
    ...(secure ? [['certificate', () => lookAtCertificate(secure, way)] as [AddressCheck['code'], Look]] : []),
    ['router', () => lookAtRouters(name, subject, asking)],
    ['port', () => checkListener(workspace, { ports, signal: asking.signal })],
  ];
  return runAll(looks);
}

interface Way {
  subject: Subject;
  resolved: Promise<Resolved>;
  known: Promise<string[]>;
  asking: Asking;
}

const knownOf = ({ hosts }: Subject): Promise<string[]> => knownAddresses(hosts);

async function resolve(name: string): Promise<Resolved> {
  const { addresses, problem } = await resolveName(name);
  return { addresses: addresses.map(plainAddress), problem };
}

async function said(resolved: Promise<Resolved>, known: Promise<string[]>, { hosts }: Subject) {
  return { resolved: await resolved, known: await known, hasHost: hosts.length > 0 };
}

async function reachOf({ resolved, known, asking }: Way) {
  const { addresses } = await resolved;
  return reachFor({ addresses, known: await known, isAdmin: asking.isAdmin });
}

const USUAL_PORTS = { http: 80, https: 443 };

/** What hosts say that they publish is theirs to write: it must not have the console try other ports for somebody. */
function portsOf(host: HostRow | undefined, { isAdmin }: Asking): { http: number; https: number } {
  return host && isAdmin ? addressPorts(host) : USUAL_PORTS;
}

/** The host at the address that the console connects to: others may publish other ports. */
async function hostAt(address: string, hosts: readonly HostRow[]): Promise<HostRow | undefined> {
  for (const host of hosts) {
    if ((await knownAddresses([host])).includes(address)) return host;
  }
  return hosts[0];
}

function portLooks(schemes: readonly Address['scheme'][], way: Way): [AddressCheck['code'], Look][] {
  return schemes.map((scheme) => [
    scheme,
    async () => {
      const reach = await reachOf(way);
      const port = portsOf(await hostAt(reach.address, way.subject.hosts), way.asking)[scheme];
      return checkPort({ reach, port, usual: scheme === 'https' ? 443 : 80 });
    },
  ]);
}

async function lookAtCertificate({ name, host }: Address, way: Way): Promise<Verdict> {
  const own = way.subject.hosts.find(({ id }) => id === host);
  const { https: port } = portsOf(own, way.asking);
  return checkCertificate({ reach: await reachOf(way), name, port, ca: way.asking.ca });
}

/** Each host is asked for its own; the first that is not well is told of. */
async function lookAtRouters(search: string, { addresses, hosts }: Subject, { signal }: Asking): Promise<Verdict> {
  const asked = hosts.flatMap((host) => {
    const wanted = addresses.filter((address) => address.host === host.id);
    return wanted.length > 0 ? [checkRouters({ host, wanted, search, signal })] : [];
  });
  const verdicts = await Promise.all(asked);
  const worst = worstOf(verdicts);
  const none = skipped('No workspace that you see has an address under this domain.');
  return verdicts.find(({ state }) => state === worst) ?? verdicts[0] ?? none;
}

function runAll(looks: readonly [AddressCheck['code'], Look][]): Promise<AddressCheck[]> {
  return Promise.all(looks.map(([code, look]) => runLook(code, look, LIMIT_MS)));
}
