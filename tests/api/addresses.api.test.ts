import { compare } from '@node-rs/bcrypt';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { closeDb } from '@/db/database';
import type { AppError } from '@/lib/errors';
import { type HostRow, hosts } from '@/lib/hosts/collection';
import { hostKind } from '@/lib/hosts/at-host';
import { agentRoutes } from '@/lib/hosts/link/agent-routes';
import { getDesired, readDesired } from '@/lib/hosts/link/desired';
import type { WorkspaceSpec } from '@/lib/protocol/specs/workspace';
import type { Actor } from '@/lib/policies/actor';
import type { AnyRow } from '@/lib/records/collection';
import { StoreReader, write } from '@/lib/records/transaction';
import { createRecord, updateRecord } from '@/lib/records/writer';
import { seal } from '@/lib/secrets';
import { settings } from '@/lib/settings/collection';
import { workspaceKind } from '@/lib/workspaces/at-host';
import { findWorkspaceChanges } from '@/lib/workspaces/changes';
import { workspaces } from '@/lib/workspaces/collection';
import { requestWorkspace } from '@/lib/workspaces/request-workspace';
import { fileProxy } from '../setup/file-proxy';
import { createDomain, createPerson, grantTo } from '../setup/world';
import { createHost, createImage, createTenant, createWorkspace, readWorkspace, type UserActor } from './factories';
import { createCaller } from './kernel-caller';
import { makeObserved, type ScriptedAgent } from './scripted-agent';

const call = createCaller(agentRoutes);
let agent: ScriptedAgent;
let host: HostRow;
let tenant: UserActor;
let domain: AnyRow;
let image: string;
let number = 0;

const url = (subdomain: string, overrides: AnyRow = {}) => {
  return { scheme: 'https', subdomain, domain: domain.id, port: 80, authentication: 'none', users: [], ...overrides };
};
const basic = (password: string, username = 'ada') => ({ authentication: 'basic', users: [{ username, password }] });
const create = (actor: Actor, body: AnyRow) => {
  const named = { name: `w${(number += 1)}`, host: host.id, image, ...body };
  return createRecord(workspaces as never, actor, { body: named }) as Promise<AnyRow & { id: string }>;
};
const change = (actor: Actor, id: string, body: AnyRow) => updateRecord(workspaces as never, actor, { id, body });
const refusal = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => (error as AppError).fields,
  );
const setProxy = (reverse_proxy: unknown) => write((tx) => tx.patch(hosts, host.id, { reverse_proxy } as never));
const start = (id: string, action: 'start' | 'redeploy' = 'start') =>
  requestWorkspace(tenant, { workspaceId: id, action });
/** As the agent reads it. */
const sentSpec = (id: string) =>
  readDesired(host.id, 0)!.objects.find((object) => object.id === id)!.spec as WorkspaceSpec;

beforeAll(async () => {
  ({ agent, host } = await createHost(call));
});
afterAll(() => closeDb());
beforeEach(async () => {
  tenant = await createTenant(host);
  image = (await createImage({ build_on: host.id })).id;
  domain = await createDomain({});
  await grantTo(tenant, 'image', { on: { id: image } as never, flags: ['deploy'] });
  await grantTo(tenant, 'domain', { on: domain, flags: ['deploy'] });
  await setProxy(fileProxy);
});

describe('an address is refused at its field', () => {
  it('where the host has no reverse proxy', async () => {
    for (const none of [null, { ...fileProxy, isAdded: false }, { ...fileProxy, type: 'none' }]) {
      await setProxy(none);
      const fields = await refusal(create(tenant, { externalUrls: [url('a')] }));
      expect(fields).toEqual({
        externalUrls: { code: 'validation_no_reverse_proxy', message: expect.stringContaining('has no reverse proxy') },
      });
    }
    await create(tenant, {});
  });

  it('where another workspace has the name, of http and https alike, and on whatever host', async () => {
    const mine = await create(tenant, { externalUrls: [url('a'), url('a', { scheme: 'http' })] });
    const stranger = await createPerson();
    const other = await createDomain({ url: `a.${String(domain.url)}`, created_by: tenant.id });
    for (const twin of [url('a'), url('a', { scheme: 'http' }), url('', { domain: other.id })]) {
      const fields = await refusal(create(tenant, { externalUrls: [twin] }));
      expect(fields).toMatchObject({
        externalUrls: {
          0: {
            subdomain: { code: 'validation_address_taken', message: `The address is taken by ${String(mine.name)}.` },
          },
        },
      });
    }
    await grantTo(stranger, 'host', { on: host as never, flags: ['canCreateWorkspaces', 'view'] });
    await grantTo(stranger, 'image', { on: { id: image } as never, flags: ['deploy'] });
    await grantTo(stranger, 'domain', { on: domain, flags: ['deploy'] });
    expect(JSON.stringify(await refusal(create(stranger, { externalUrls: [url('a')] })))).toContain(
      'another workspace',
    );
    await change(tenant, mine.id, { externalUrls: [url('a'), url('b')] });
    await create(tenant, { externalUrls: [url('c')] });
  });

  it('where it is the console’s own, or the domain is not open to the person', async () => {
    const local = await createDomain({ url: 'localhost', created_by: tenant.id });
    const fields = await refusal(create(tenant, { externalUrls: [url('', { domain: local.id })] }));
    expect(JSON.stringify(fields)).toContain('This is the address of the console.');
    const closed = await createDomain({});
    expect(await refusal(create(tenant, { externalUrls: [url('a', { domain: closed.id })] }))).toHaveProperty(
      'externalUrls',
    );
  });

  it('where nobody is let in, a name or a password can not be, or there are too many', async () => {
    const of = (overrides: AnyRow) => refusal(create(tenant, { externalUrls: [url('a', overrides)] }));
    expect(JSON.stringify(await of({ authentication: 'basic', users: [] }))).toContain('Please add at least one.');
    for (const name of ['a,b', '{{env}}', 'a b', 'a:b', 'a`b'])
      expect(await of(basic('secret', name))).toHaveProperty('externalUrls');
    expect(await of(basic('ä'.repeat(37)))).toHaveProperty('externalUrls');
    expect(await of(basic(''))).toMatchObject({
      externalUrls: { 0: { users: { 0: { password: { code: 'validation_required' } } } } },
    });
    const users = Array.from({ length: 101 }, (_, index) => ({ username: `u${index}`, password: 'x' }));
    expect(JSON.stringify(await of({ authentication: 'basic', users }))).toContain('100 passwords');
  });

  it('where its port is published beside its log-in; told at what was sent', async () => {
    const portMappings = [{ containerPort: '79-81', hostPort: '' }];
    const guarded = [url('a', basic('secret'))];
    expect(await refusal(create(tenant, { externalUrls: guarded, portMappings }))).toMatchObject({
      externalUrls: { 0: { port: { code: 'validation_port_open' } } },
    });
    const made = await create(tenant, { externalUrls: guarded });
    expect(await refusal(change(tenant, made.id, { portMappings }))).toMatchObject({
      portMappings: { 0: { containerPort: { code: 'validation_port_open' } } },
    });
    await change(tenant, made.id, { portMappings: [{ containerPort: '80', hostPort: '', hostIp: '127.0.0.1' }] });
    await change(tenant, made.id, { portMappings: [{ containerPort: '80', protocol: 'udp', hostPort: '' }] });
    await create(tenant, { externalUrls: [url('open')], portMappings });
  });
});

describe('a password', () => {
  it('is stored as a hash, kept when it is sent empty, and reaches the agent as a hash alone', async () => {
    const made = await create(tenant, { externalUrls: [url('a', basic('open sesame'))] });
    expect(JSON.stringify(made)).not.toMatch(/sesame|bcrypt|\$2b/);
    expect(JSON.stringify(new StoreReader().get(workspaces, made.id))).not.toMatch(/sesame|\$2b/);
    await change(tenant, made.id, { externalUrls: [url('a', basic('')), url('b')] });
    await start(made.id);
    const [route] = sentSpec(made.id).routes;
    const { protection } = route!;
    if (protection.kind !== 'basic') throw new Error('not protected');
    expect(protection.users).toEqual([{ name: 'ada', hash: expect.stringMatching(/^\$2b\$10\$/) }]);
    expect(await compare('open sesame', protection.users[0]!.hash)).toBe(true);
    const stored = getDesired(workspaceKind, host.id, made.id)!.spec;
    expect(JSON.stringify(stored)).not.toMatch(/sesame|\$2b/);
    expect(findWorkspaceChanges(tenant, made.id).changed).toEqual([]);
    await setProxy({ ...fileProxy, type: 'traefikDockerProvider', containerName: 'traefik' });
    await change(tenant, made.id, { externalUrls: [url('a', basic('other'))] });
    const changed = findWorkspaceChanges(tenant, made.id).changed;
    expect(changed.map(({ field }) => field)).toEqual(['externalUrls']);
    expect(JSON.stringify(changed)).not.toMatch(/other|\$2b|sealed/);
  });

  it('of an older console becomes a hash with the next start', async () => {
    const users = [{ username: 'ada', password: seal('open sesame') }];
    const workspace = await createWorkspace({
      host: host.id,
      image,
      created_by: tenant.id,
      externalUrls: [url('old', { authentication: 'basic', users })] as never,
    });
    await start(workspace.id);
    const { protection } = sentSpec(workspace.id).routes[0]!;
    expect(protection.kind === 'basic' && (await compare('open sesame', protection.users[0]!.hash))).toBe(true);
    expect(readWorkspace(workspace.id)!.externalUrls![0]!.users[0]!.password).not.toBe(users[0]!.password);
  });

  it('of a template comes over to what is made from it', async () => {
    const template = await create(tenant, { template: true, externalUrls: [url('t', basic('open sesame'))] });
    const made = await create(tenant, { copiedFrom: template.id, externalUrls: [url('t', basic(''))] });
    await start(made.id);
    const { protection } = sentSpec(made.id).routes[0]!;
    expect(protection.kind === 'basic' && (await compare('open sesame', protection.users[0]!.hash))).toBe(true);
  });
});

describe('what the host is asked for', () => {
  it('names the proxy and whom it asks, and follows the settings', async () => {
    await agent.heartbeat();
    const asked = () => getDesired(hostKind, host.id, host.id)!.spec!.reverseProxy;
    expect(asked()).toMatchObject({ type: 'traefikFileProvider', entryPoint: 'web', certResolver: 'le' });
    expect(asked().forwardAuth).toMatch(/^http:\/\/localhost:\d+\/api\/forward-auth$/);
    const value = { endpointUrl: 'https://auth.example/' };
    await write((tx) => tx.insert(settings, { key: 'serviceServer', value }));
    await agent.heartbeat();
    expect(asked().forwardAuth).toBe('https://auth.example/api/forward-auth');
    await write((tx) => tx.find(settings, { key: 'serviceServer' }).forEach(({ id }) => tx.remove(settings, id)));
  });

  it('has what is saved at once where addresses lie in files, and nothing is deployed for it', async () => {
    const made = await create(tenant, { externalUrls: [url('a', { authentication: 'internal' })] });
    await start(made.id);
    await agent.report({ objects: [makeObserved({ id: made.id, status: 'running' })] });
    const before = sentSpec(made.id);
    expect(before).toMatchObject({
      routedBy: 'files',
      routes: [{ hostName: `a.${String(domain.url)}`, protection: { kind: 'forwardAuth' } }],
    });
    await change(tenant, made.id, { externalUrls: [url('b', { port: 81 })], command: 'sleep 1' });
    const after = sentSpec(made.id);
    expect(after).toEqual({
      ...before,
      routes: [{ scheme: 'https', hostName: `b.${String(domain.url)}`, port: 81, protection: { kind: 'none' } }],
    });
    expect(findWorkspaceChanges(tenant, made.id).changed.map(({ field }) => field)).toEqual(['command']);
    await change(tenant, made.id, { externalUrls: [] });
    expect(sentSpec(made.id)).toMatchObject({ routes: [], routedBy: '' });
  });

  it('waits for whoever may deploy, and for a redeploy where addresses are labels', async () => {
    const made = await create(tenant, { externalUrls: [url('a')] });
    await start(made.id);
    const before = sentSpec(made.id);
    const colleague = await createPerson();
    await grantTo(colleague, 'workspace' as never, { on: made as never, flags: ['view', 'modify'] });
    await grantTo(colleague, 'domain', { on: domain, flags: ['deploy'] });
    await change(colleague, made.id, { externalUrls: [url('z')] });
    expect(sentSpec(made.id)).toEqual(before);
    await setProxy({ ...fileProxy, type: 'traefikDockerProvider', containerName: 'traefik' });
    await change(tenant, made.id, { externalUrls: [url('y')] });
    expect(sentSpec(made.id)).toEqual(before);
    await start(made.id, 'redeploy');
    expect(sentSpec(made.id)).toMatchObject({ routedBy: 'labels', routes: [{ hostName: `y.${String(domain.url)}` }] });
  });

  it('is refused when the proxy, the name or a new enough agent is gone', async () => {
    const made = await create(tenant, { externalUrls: [url('a')] });
    await setProxy(null);
    expect(await refusal(start(made.id))).toMatchObject({ externalUrls: { code: 'validation_no_reverse_proxy' } });
    await setProxy(fileProxy);
    await createWorkspace({ host: host.id, image, created_by: tenant.id, externalUrls: [url('a')] as never });
    expect(await refusal(start(made.id))).toMatchObject({
      externalUrls: { 0: { subdomain: { code: 'validation_address_taken' } } },
    });
    const { engine } = new StoreReader().get(hosts, host.id)!;
    await write((tx) => tx.patch(hosts, host.id, { engine: { ...engine!, protocol: 5 } } as never));
    const fields = await refusal(create(tenant, { externalUrls: [url('new')] }));
    expect(fields).toMatchObject({ externalUrls: { code: 'validation_agent_too_old' } });
    await write((tx) => tx.patch(hosts, host.id, { engine } as never));
  });
});
