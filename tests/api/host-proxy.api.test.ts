import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeDb } from '@/db/database';
import { type HostRow, hosts } from '@/lib/hosts/collection';
import { agentRoutes } from '@/lib/hosts/link/agent-routes';
import { getDesired } from '@/lib/hosts/link/desired';
import { proxyKind } from '@/lib/hosts/proxy/at-host';
import type { ObservedProxy } from '@/lib/protocol/observed-proxy';
import { StoreReader, write } from '@/lib/records/transaction';
import { api } from '../setup/api';
import { createHost, createTenant, createUser, type UserActor } from './factories';
import { createFileHost, type FileHost } from './file-host';
import { createCaller } from './kernel-caller';
import { type AgentLink, connectLink, startLinkServer } from './live-link';
import type { ScriptedAgent } from './scripted-agent';

/** What a host says of its reverse proxy, its NVIDIA driver and its Traefik: what is refused, and what reaches its agent. */
const call = createCaller([...agentRoutes]);
let server: Awaited<ReturnType<typeof startLinkServer>>;
let files: FileHost;
let link: AgentLink;
let agent: ScriptedAgent;
let host: HostRow;
let admin: UserActor;
let owner: UserActor;

beforeAll(async () => {
  server = await startLinkServer();
  files = await createFileHost();
  ({ agent, host } = await createHost(call));
  link = await connectLink(agent, server.port, { answer: files.answer });
  admin = await createUser({ isAdmin: true });
  owner = await createUser();
  await write((tx) => tx.patch(hosts, host.id, { created_by: owner.id }));
});
afterAll(async () => {
  link.socket.terminate();
  await server.close();
  await files.close();
  closeDb();
});

const patch = (body: object, as = admin) => api('PATCH', `/api/collections/hosts/records/${host.id}`, { as, body });
/** What is refused, as `part: message`. */
async function problems(body: object, as = admin): Promise<Record<string, { code: string; message: string }>> {
  const { status, json } = await patch(body, as);
  expect(status).toBe(400);
  const [field] = Object.keys(body);
  return (json.data as Record<string, Record<string, { code: string; message: string }>>)[field!]!;
}
const stored = () => new StoreReader().get(hosts, host.id)!;
const desired = () => getDesired(proxyKind, host.id, host.id);

const traefik = {
  isAdded: true,
  deploy: true,
  image: 'traefik:v3.6',
  containerName: 'traefik',
  networkName: 'web',
  ports: [{ containerPort: 80, hostPort: 80, protocol: 'tcp' }],
  config: '[api]\ninsecure = true\n',
  configFileLocation: '/etc/traefik',
};

describe('the reverse proxy', () => {
  const empty = { isAdded: true, type: 'none' };

  it('says how Traefik is told, and with it what that needs', async () => {
    expect(Object.keys(await problems({ reverse_proxy: empty }))).toEqual(['type']);
    expect((await problems({ reverse_proxy: { isAdded: true } })).type).toMatchObject({ code: 'validation_required' });
    const labels = await problems({ reverse_proxy: { ...empty, type: 'traefikDockerProvider' } });
    expect(Object.keys(labels).toSorted()).toEqual(['certResolver', 'containerName', 'entryPoint']);
    const inFiles = await problems({ reverse_proxy: { ...empty, type: 'traefikFileProvider' } });
    expect(Object.keys(inFiles).toSorted()).toEqual(['certResolver', 'configFileLocation', 'entryPoint']);
    expect((await patch({ reverse_proxy: { isAdded: false } })).status).toBe(200);
  });

  it('takes names and folders that say what they mean', async () => {
    const proxy = { ...empty, type: 'traefikFileProvider', entryPoint: 'web', certResolver: 'le' };
    for (const configFileLocation of ['etc/traefik', '/etc/../root', '/', '/etc//x', '/etc/./x', '/a\nb']) {
      expect(Object.keys(await problems({ reverse_proxy: { ...proxy, configFileLocation } }))).toEqual([
        'configFileLocation',
      ]);
    }
    for (const wrong of [{ entryPoint: 'web, a b' }, { entryPoint: '{{ env "A" }}' }, { certResolver: 'a,b' }]) {
      const reverse_proxy = { ...proxy, configFileLocation: '/etc/traefik', ...wrong };
      expect(Object.keys(await problems({ reverse_proxy }))).toEqual(Object.keys(wrong));
    }
    const named = {
      ...proxy,
      entryPoint: 'web, websecure',
      configFileLocation: '/etc/traefik/dynamic',
      containerName: '../x',
    };
    expect(Object.keys(await problems({ reverse_proxy: named }))).toEqual(['containerName']);
    expect((await patch({ reverse_proxy: { ...named, containerName: 'traefik' } })).status).toBe(200);
  });
});

it('the NVIDIA driver needs both versions, and is not installed by Berth', async () => {
  expect(Object.keys(await problems({ nvidia_driver: { isAdded: true } })).toSorted()).toEqual([
    'driverVersion',
    'toolkitVersion',
  ]);
  const driver = { isAdded: true, toolkitVersion: '1.18.0', driverVersion: '580' };
  expect((await problems({ nvidia_driver: { ...driver, deploy: true } })).deploy?.message).toContain(
    'Berth installs no driver by itself',
  );
  expect((await patch({ nvidia_driver: driver })).status).toBe(200);
});

describe('Traefik', () => {
  it('needs everything once it is added', async () => {
    const missing = await problems({ traefik: { isAdded: true } });
    expect(Object.keys(missing).toSorted()).toEqual([
      'config',
      'configFileLocation',
      'containerName',
      'image',
      'networkName',
    ]);
    expect(desired()).toBeUndefined();
  });

  it('takes names as the engine does', async () => {
    const wrong = { image: 'Traefik:', containerName: 'a b', networkName: 'host', configFileLocation: '/etc/../x' };
    expect(Object.keys(await problems({ traefik: { ...traefik, ...wrong } })).toSorted()).toEqual(
      Object.keys(wrong).toSorted(),
    );
    const twice = [...traefik.ports, { containerPort: 81, hostPort: 80, protocol: 'tcp' }];
    expect(Object.keys(await problems({ traefik: { ...traefik, ports: twice } }))).toEqual(['ports']);
  });

  it('says where its configuration is no TOML', async () => {
    const { config } = await problems({ traefik: { ...traefik, config: '[api]\ninsecure = ture\n' } });
    expect(config).toMatchObject({ code: 'validation_invalid_format' });
    expect(config?.message).toMatch(/line 2, column \d+: /);
  });

  it('opens ports that the host keeps, and the engine’s socket, only for admins', async () => {
    const ports = (await problems({ traefik }, owner)).ports as unknown as Record<string, object>;
    expect(ports['0']).toMatchObject({ hostPort: { message: 'Only an admin may publish port 80 of this host.' } });
    const above = { ...traefik, ports: [{ containerPort: 80, hostPort: 8080, protocol: 'tcp' }] };
    const socket = { ...above, config: '[providers.docker]\n' };
    expect((await problems({ traefik: socket }, owner)).config?.message).toContain('Only an admin may deploy');
    expect((await patch({ traefik: above }, owner)).status).toBe(200);
    expect((await patch({ traefik: { ...above, deploy: false } }, await createTenant(host))).status).toBe(404);
    await patch({ traefik: null });
    await tell('absent');
  });

  const tell = (status: ObservedProxy['status'], more: Partial<ObservedProxy> = {}) => {
    const observed = { kind: 'proxy' as const, id: host.id, status, message: '', containerId: '', image: '' };
    return agent.report({ objects: [{ ...observed, startedAt: 0, retries: 0, ...more }] });
  };

  it('reaches the agent once it is to be deployed, and again only when something of it changed', async () => {
    await patch({ traefik: { ...traefik, deploy: false } });
    expect(desired()).toBeUndefined();
    expect(stored().traefikState).toBeNull();
    await patch({ traefik });
    const { spec, revision } = desired()!;
    expect(spec).toMatchObject({ containerName: 'traefik', folder: '/etc/traefik', socketPath: '' });
    expect(stored().traefikState).toMatchObject({ status: 'pending' });
    await patch({ name: `${host.name}-renamed` });
    await patch({ traefik });
    expect(desired()!.revision).toBe(revision);
    const config = '[providers.Docker]\nendpoint = "unix:///run/docker.sock"\n';
    await patch({ traefik: { ...traefik, config } });
    expect(desired()!.spec).toMatchObject({ config, socketPath: '/run/docker.sock' });
    expect(desired()!.revision).toBeGreaterThan(revision);
  });

  it('is pulled with the host’s account, whose password is sealed until it leaves', async () => {
    const account = { serveraddress: 'registry.example', username: 'robot', password: 'hush' };
    await patch({ registry_auths: [account], traefik: { ...traefik, image: 'registry.example/traefik:3' } });
    expect(JSON.stringify(desired())).not.toContain('hush');
    const { json } = await agent.desired();
    const { objects } = json as { objects: { kind: string; spec: { image?: object } }[] };
    expect(objects.find(({ kind }) => kind === 'proxy')?.spec.image).toMatchObject({ account });
    await patch({ registry_auths: [], traefik });
  });

  it('shows on the record what the agent tells of it', async () => {
    const startedAt = Date.UTC(2026, 10, 1);
    await tell('running', { image: 'traefik:v3.6', containerId: 'c1', startedAt });
    expect(stored().traefikState).toEqual({
      status: 'running',
      message: '',
      image: 'traefik:v3.6',
      containerId: 'c1',
      since: '2026-11-01 00:00:00.000Z',
    });
    await tell('error', { message: 'port 80 is taken', retries: 3 });
    expect(stored().traefikState).toMatchObject({ status: 'error', message: 'port 80 is taken (tried 3 times)' });
    const { host: other, agent: stranger } = await createHost(call);
    await stranger.report({
      objects: [
        {
          kind: 'proxy',
          id: host.id,
          status: 'running',
          message: '',
          containerId: '',
          image: '',
          startedAt,
          retries: 0,
        },
      ],
    });
    expect(stored().traefikState).toMatchObject({ status: 'error' });
    expect(new StoreReader().get(hosts, other.id)!.traefikState).toBeNull();
  });

  it('goes when it is switched off, once the agent says so', async () => {
    await patch({ traefik: { ...traefik, deploy: false } });
    expect(desired()).toMatchObject({ spec: null });
    expect(stored().traefikState).toMatchObject({ status: 'removing' });
    await tell('absent');
    expect(desired()).toBeUndefined();
    expect(stored().traefikState).toBeNull();
  });

  it('says so where the agent is too old', async () => {
    await patch({ traefik });
    const object = { kind: 'proxy', id: host.id, revision: desired()!.revision, reason: 'not known' };
    await agent.report({ unsupported: [object] });
    expect(stored().traefikState).toMatchObject({
      status: 'unsupported',
      message: expect.stringMatching(/too old for this Traefik: update it/) as string,
    });
    await patch({ traefik: null });
    expect(stored().traefikState).toBeNull();
  });
});

describe('what is asked of the agent', () => {
  const ask = (question: string, as?: { id: string }) =>
    api('GET', `/api/host/${host.id}/${question}`, { ...(as && { as }) });

  it('is asked for whoever may change the host, and for nobody else', async () => {
    const before = link.opened.length;
    for (const question of ['traefik', 'nvidia']) {
      expect((await ask(question)).status).toBe(401);
      expect((await ask(question, await createUser())).status).toBe(404);
      expect((await ask(question, await createTenant(host))).status).toBe(403);
    }
    expect(link.opened.length).toBe(before);
    expect(await ask('nvidia', owner)).toMatchObject({ status: 200, json: { driverVersion: '', cards: [] } });
  });

  it('is a Traefik that Berth deployed, or the one that the reverse proxy names', async () => {
    await patch({ traefik: null, reverse_proxy: { isAdded: false } });
    expect(await ask('traefik', admin)).toMatchObject({
      status: 409,
      json: { message: expect.stringContaining('no Traefik to ask') as string },
    });
    const proxy = { isAdded: true, type: 'traefikDockerProvider', entryPoint: 'web', certResolver: 'le' };
    await patch({ reverse_proxy: { ...proxy, containerName: 'traefik' } });
    expect(await ask('traefik', admin)).toMatchObject({
      status: 200,
      json: { version: '3.6.12', routersTotal: 1, routers: [{ name: 'app@file', errors: [] }] },
    });
    await patch({ reverse_proxy: { ...proxy, containerName: 'nobody' } });
    expect((await ask('traefik', admin)).status).toBe(404);
    const config = '[entryPoints.traefik]\naddress = ":9000"\n';
    await patch({ traefik: { ...traefik, config } });
    await ask('traefik', admin);
    expect(link.opened.at(-1)?.open).toEqual({ kind: 'traefik', containerName: 'traefik', apiPort: 9000 });
  });
});
