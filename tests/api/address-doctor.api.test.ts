import { createServer, type Server } from 'node:tls';
import net, { type AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { answer } from '@/agent/streams/answers';
import { closeDb } from '@/db/database';
import { domains } from '@/lib/domains/collection';
import { type HostRow, hosts } from '@/lib/hosts/collection';
import { agentRoutes } from '@/lib/hosts/link/agent-routes';
import type { TraefikReport } from '@/lib/protocol/proxy-streams';
import type { AnyRow } from '@/lib/records/collection';
import { StoreReader, write } from '@/lib/records/transaction';
import { rateLimits } from '@/lib/vocabulary/limits';
import { workspaces } from '@/lib/workspaces/collection';
import { type AddressCheck, examineAddress, examineDomain } from '@/lib/workspaces/doctor/examine';
import { subjectOfDomain, subjectOfWorkspace } from '@/lib/workspaces/doctor/subjects';
import { api } from '../setup/api';
import { type Certificates, createAuthority } from '../setup/certificates';
import { fileProxy } from '../setup/file-proxy';
import { createDomain, grantTo } from '../setup/world';
import { createHost, createUser, createWorkspace, type UserActor } from './factories';
import { createCaller } from './kernel-caller';
import { type AgentLink, connectLink, startLinkServer } from './live-link';

/** The way to addresses, with a real name server, a real TLS server, and a host that answers by its link. */
const dns = await vi.hoisted(async () => {
  // The console reads its settings once, as soon as something of it is loaded.
  const server = await (await import('../setup/dns-server')).startDnsServer();
  process.env.BERTH_DNS_SERVERS = server.address;
  return server;
});
const call = createCaller([...agentRoutes]);
const NAME = 'app.lab.example.net';
const router = { name: 'r@file', provider: 'file', service: 's', status: 'enabled', errors: [] as string[] };
let links: Awaited<ReturnType<typeof startLinkServer>>;
let authority: Certificates;
let web: Server;
let port: number;
let link: AgentLink;
let admin: UserActor;
let host: HostRow;
let domain: AnyRow;
let workspace: AnyRow;
let listeners: { port: number; isLocal: boolean }[];
let report: TraefikReport;
let connections = 0;

beforeAll(async () => {
  authority = createAuthority();
  links = await startLinkServer();
  web = createServer(authority.issue(['lab.example.net', '*.lab.example.net'], 60));
  web.on('tlsClientError', () => undefined);
  web.on('connection', () => (connections += 1));
  await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
  ({ port } = web.address() as AddressInfo);
  const { agent, host: made } = await createHost(call);
  link = await connectLink(agent, links.port, {
    answer(stream, open) {
      if (open.kind === 'traefik') void answer(stream, () => Promise.resolve(report));
      if (open.kind === 'listeners') void answer(stream, () => Promise.resolve({ listeners }));
    },
  });
  const traefik = {
    isAdded: true,
    deploy: true,
    image: 'traefik:v3.6',
    containerName: 'traefik',
    networkName: 'web',
    ports: [{ containerPort: 443, hostPort: port, protocol: 'tcp' }],
    config: '[entryPoints.websecure]\naddress = ":443"\n',
    configFileLocation: '/etc/traefik',
  };
  const reverse_proxy = { ...fileProxy, entryPoint: 'websecure' };
  const values = { address: '127.0.0.1', traefik, reverse_proxy } as never;
  await write((tx) => tx.patch(hosts, made.id, values));
  host = new StoreReader().get(hosts, made.id)!;
  admin = await createUser({ isAdmin: true });
  domain = await createDomain({ url: 'lab.example.net', host: host.id });
  const externalUrls = [
    { scheme: 'https', subdomain: 'app', domain: domain.id, port: 8080, authentication: 'none', users: [] },
  ];
  workspace = await createWorkspace({ host: host.id, externalUrls, status: 'running' } as never);
});
beforeEach(() => {
  dns.records.clear();
  dns.records.set('lab.example.net', ['127.0.0.1']).set('*.lab.example.net', ['127.0.0.1']);
  dns.troubled.clear();
  listeners = [{ port: 8080, isLocal: false }];
  const rule = `Host(\`${NAME}\`)`;
  report = {
    version: '3.6.12',
    startedAt: '',
    entryPoints: [{ name: 'websecure', address: ':443' }],
    routers: [{ ...router, rule, entryPoints: ['websecure'] }],
    routersTotal: 1,
  };
});
afterAll(async () => {
  link.socket.terminate();
  await links.close();
  await new Promise((resolve) => web.close(resolve));
  await dns.close();
  authority.close();
  closeDb();
});

type Found = Partial<Record<AddressCheck['code'], AddressCheck>>;
const byCode = (checks: AddressCheck[]): Found => Object.fromEntries(checks.map((check) => [check.code, check]));
const asking = (isAdmin = true) => ({ isAdmin, signal: new AbortController().signal, ca: authority.ca });
const row = <T>(value: unknown) => value as T;
async function lookAtAddress(isAdmin = true): Promise<Found> {
  const current = new StoreReader().get(workspaces, workspace.id as string)!;
  return byCode(await examineAddress(current, subjectOfWorkspace(current, NAME), asking(isAdmin)));
}
async function lookAtDomain(isAdmin = true): Promise<Found> {
  const current = new StoreReader().get(domains, domain.id as string)!;
  return byCode(await examineDomain(current.url, subjectOfDomain(current, admin), asking(isAdmin)));
}

describe('an address that opens', () => {
  it('is fine all the way', async () => {
    const found = await lookAtAddress();
    expect(Object.keys(found)).toEqual(['name', 'https', 'certificate', 'router', 'port']);
    expect(found.name).toMatchObject({ state: 'ok', found: `${NAME} leads to 127.0.0.1, where the host is reached.` });
    expect(found.https).toMatchObject({ state: 'warning', found: expect.stringContaining(`127.0.0.1:${port}`) });
    expect(found.certificate).toMatchObject({ state: 'ok', found: expect.stringContaining('Harbour Authority') });
    expect(found.certificate!.found).toContain('lab.example.net, *.lab.example.net and good for 59 days');
    expect(found.router).toMatchObject({ state: 'ok', found: `Traefik has a router for ${NAME}.` });
    expect(found.port).toMatchObject({ state: 'ok' });
    expect(link.opened.find(({ open }) => open.kind === 'traefik')?.open).toMatchObject({ search: NAME });
  });

  it('of a domain is asked for by a label that nobody guesses', async () => {
    const before = dns.asked.length;
    const found = await lookAtDomain();
    expect(found.wildcard).toMatchObject({ state: 'ok' });
    expect(found.name).toMatchObject({ state: 'ok' });
    const labels = dns.asked.slice(before).filter((name) => name.startsWith('berth-'));
    expect(new Set(labels).size).toBe(1);
    expect(found.certificate).toMatchObject({ state: 'ok' });
    expect(found.router).toMatchObject({ state: 'ok' });
  });
});

describe('DNS', () => {
  it('says which record is missing', async () => {
    dns.records.clear();
    const found = await lookAtDomain();
    expect(found.wildcard).toMatchObject({
      state: 'error',
      cure: 'Add an A record for *.lab.example.net → 127.0.0.1.',
    });
    // No workspace has its address at the domain itself.
    expect(found.name).toMatchObject({ state: 'skipped' });
    expect(found.https).toMatchObject({ state: 'skipped', found: 'The name leads nowhere yet.' });
    const address = await lookAtAddress();
    expect(address.name).toMatchObject({ state: 'error', cure: `Add an A record for ${NAME} → 127.0.0.1.` });
  });

  it('tells addresses of others from those of the host, in any spelling', async () => {
    await write((tx) => tx.patch(hosts, host.id, { address: 'hopper.example.net' }));
    dns.records.set('hopper.example.net', ['192.0.2.9', '2001:db8::9']);
    dns.records.set(NAME, ['192.0.2.9', '2001:db8:0:0:0:0:0:9']);
    expect((await lookAtAddress(false)).name).toMatchObject({ state: 'ok' });
    dns.records.set(NAME, ['192.0.2.9', '192.0.2.10']);
    expect((await lookAtAddress(false)).name).toMatchObject({
      state: 'warning',
      cure: `Remove the records of ${NAME} that lead to 192.0.2.10.`,
    });
    dns.records.set(NAME, ['192.0.2.10']);
    expect((await lookAtAddress(false)).name).toMatchObject({
      state: 'error',
      cure: expect.stringContaining(`Have ${NAME} lead to 192.0.2.9, 2001:db8::9.`),
    });
    dns.records.delete(NAME);
    dns.records.delete('*.lab.example.net');
    expect((await lookAtAddress(false)).name).toMatchObject({
      cure: `Add an A record for ${NAME} → 192.0.2.9, and an AAAA record for ${NAME} → 2001:db8::9.`,
    });
    await write((tx) => tx.patch(hosts, host.id, { address: '' }));
    dns.records.set(NAME, ['192.0.2.10']);
    expect((await lookAtAddress(false)).name).toMatchObject({ cure: expect.stringContaining('Fill in the address') });
    await write((tx) => tx.patch(hosts, host.id, { address: '127.0.0.1' }));
  });

  it('that fails or says nothing is told apart from a missing record, within seconds', async () => {
    dns.troubled.set(NAME, 'failing');
    expect((await lookAtAddress()).name).toMatchObject({
      state: 'error',
      found: `There is no answer from DNS about ${NAME} (ESERVFAIL).`,
    });
    dns.troubled.set(NAME, 'silent');
    const sinceMs = Date.now();
    expect((await lookAtAddress()).name).toMatchObject({ found: expect.stringContaining('(ETIMEOUT)') });
    expect(Date.now() - sinceMs).toBeLessThan(7000);
  });
});

describe('a certificate', () => {
  const show = (pair: { key: string; cert: string }) => web.setSecureContext(pair);

  it.each([
    ['expired', () => authority.issue([NAME], -1), 'error', 'ended on'],
    ['self-signed', () => authority.selfSigned(NAME), 'error', 'self-signed'],
    [
      'for other names',
      () => authority.issue(['www.example.net'], 60),
      'error',
      `for www.example.net and not for ${NAME}`,
    ],
    ['about to end', () => authority.issue([NAME], 3), 'warning', 'ends in 2 days'],
  ] as const)('that is %s is told, with a cure', async (_, make, state, words) => {
    show(make());
    const { certificate } = await lookAtAddress();
    expect(certificate).toMatchObject({ state, found: expect.stringContaining(words) });
    expect(certificate!.cure).not.toBe('');
  });

  it('of an authority that the console does not know is a warning', async () => {
    show(authority.issue([NAME], 60));
    const current = new StoreReader().get(workspaces, workspace.id as string)!;
    const checks = await examineAddress(current, subjectOfWorkspace(current, NAME), { ...asking(), ca: undefined });
    expect(byCode(checks).certificate).toMatchObject({
      state: 'warning',
      cure: expect.stringContaining('NODE_EXTRA_CA'),
    });
  });

  it('is none where something else than TLS answers, or nothing', async () => {
    const plain = net.createServer((socket) =>
      socket
        .on('error', () => undefined)
        .resume()
        .end('no TLS'),
    );
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
    const at = (hostPort: number) => {
      const traefik = { ...host.traefik!, ports: [{ containerPort: 443, hostPort, protocol: 'tcp' }] };
      return write((tx) => tx.patch(hosts, host.id, { traefik } as never));
    };
    const other = (plain.address() as AddressInfo).port;
    await at(other);
    expect((await lookAtAddress()).certificate).toMatchObject({ found: expect.stringContaining('No TLS for') });
    await new Promise((resolve) => plain.close(resolve));
    expect((await lookAtAddress()).https).toMatchObject({ found: `Nothing listens at 127.0.0.1:${other}.` });
    await at(port);
    show(authority.issue(['lab.example.net', '*.lab.example.net'], 60));
  });
});

describe('what the host says', () => {
  it('of its router: missing, refused, or not wanted', async () => {
    report.routers = [];
    expect((await lookAtAddress()).router).toMatchObject({
      state: 'error',
      found: `Traefik has no router for ${NAME}.`,
      cure: expect.stringContaining(fileProxy.configFileLocation),
    });
    const rule = `Host(\`${NAME}\`)`;
    const errors = ['EntryPoint doesn\'t exist: "nowhere".'];
    report.routers = [{ ...router, rule, entryPoints: [], status: 'disabled', errors }];
    expect((await lookAtDomain()).router).toMatchObject({
      state: 'error',
      cure: "Name an entry point of Traefik in the host's reverse proxy: it has websecure.",
    });
    report.routers = [];
    await write((tx) => tx.patch(workspaces, workspace.id as string, { status: 'stopped' }));
    const { router: none, port: silent } = await lookAtAddress();
    expect([none!.state, silent!.state]).toEqual(['skipped', 'skipped']);
    await write((tx) => tx.patch(workspaces, workspace.id as string, { status: 'running' }));
  });

  it('of the port in the workspace: closed, or open to itself alone', async () => {
    listeners = [{ port: 8080, isLocal: true }];
    expect((await lookAtAddress()).port).toMatchObject({ cure: expect.stringContaining('0.0.0.0') });
    listeners = [{ port: 3000, isLocal: false }];
    expect((await lookAtAddress()).port).toMatchObject({ cure: expect.stringContaining('It listens on 3000') });
    listeners = [];
    expect((await lookAtAddress()).port).toMatchObject({ state: 'error', cure: expect.stringContaining('Start the') });
  });
});

describe('who may ask', () => {
  const ofDomain = (as?: { id: string }) => api('GET', `/api/domain/${domain.id}/doctor`, { ...(as && { as }) });
  const ofAddress = (name: string, as?: { id: string }) =>
    api('GET', `/api/workspace/${workspace.id}/doctor/${name}`, { ...(as && { as }) });

  it('is whoever gives addresses under the domain, or changes the workspace; and about nothing else', async () => {
    const [stranger, deployer, remover, editor, viewer] = await Promise.all(
      Array.from({ length: 5 }, () => createUser()),
    );
    await grantTo(deployer!, 'domain', { on: domain, flags: ['deploy'] });
    await grantTo(remover!, 'domain', { on: domain, flags: ['delete'] });
    await grantTo(editor!, 'workspace', { on: workspace, flags: ['modify'] });
    await grantTo(viewer!, 'workspace', { on: workspace, flags: ['attach', 'deploy'] });
    const before = dns.asked.length;
    expect((await ofDomain()).status).toBe(401);
    expect((await ofDomain(stranger)).status).toBe(404);
    expect((await ofDomain(remover)).status).toBe(403);
    expect((await ofAddress(NAME)).status).toBe(401);
    expect((await ofAddress(NAME, stranger)).status).toBe(404);
    expect((await ofAddress(NAME, viewer)).status).toBe(403);
    for (const name of ['other.lab.example.net', '127.0.0.1', 'localhost', 'lab.example.net']) {
      expect((await ofAddress(name, editor)).status).toBe(404);
    }
    expect(dns.asked.length).toBe(before);
    expect((await ofDomain(deployer)).status).toBe(200);
    expect((await ofAddress(NAME, editor)).status).toBe(200);
    expect((await ofDomain(admin)).json).toMatchObject({ state: 'warning' });
  });

  it('has the console connect to no address of its own network, nor to one that is not the host, unless an admin', async () => {
    const before = connections;
    const mine = await lookAtAddress(false);
    for (const check of [mine.https, mine.certificate]) {
      expect(check).toMatchObject({ state: 'skipped', found: expect.stringContaining('only admins') });
    }
    dns.records.set(NAME, ['127.0.0.2']);
    expect((await lookAtAddress(false)).https).toMatchObject({
      found: expect.stringContaining('not known as the host'),
    });
    expect((await lookAtDomain(false)).https).toMatchObject({ state: 'skipped' });
    expect(connections).toBe(before);
  });

  it('learns nothing of workspaces that it does not see', async () => {
    const deployer = await createUser();
    await grantTo(deployer, 'domain', { on: domain, flags: ['deploy'] });
    const { json } = await ofDomain(deployer);
    expect(JSON.stringify(json)).not.toContain(NAME);
    const router = row<AddressCheck[]>(json.checks).find(({ code }) => code === 'router');
    expect(router).toMatchObject({ state: 'skipped' });
  });

  it('waits after so many looks; one that is under way is looked at together', async () => {
    const person = await createUser();
    await grantTo(person, 'domain', { on: domain, flags: ['deploy'] });
    const { max } = rateLimits.addressChecksByAccount;
    const together = await Promise.all(Array.from({ length: max + 5 }, () => ofDomain(person)));
    expect(together.every(({ status }) => status === 200)).toBe(true);
    const one = () => ofDomain(person);
    for (let tries = 1; tries < max; tries += 1) expect((await one()).status).toBe(200);
    expect((await one()).status).toBe(429);
  });
});
