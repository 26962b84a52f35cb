import { randomInt, randomUUID } from 'node:crypto';
import type PocketBase from 'pocketbase';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readComposeFile, runArguments } from '../setup/compose-file';
import { buildConsoleImage, CONSOLE_IMAGE, consoleImageCanBeBuilt } from '../setup/console-image';
import { eventually } from '../setup/console-process';
import { docker, engineIsThere, ensureBaseImage } from '../setup/docker';
import {
  admin,
  buildImage,
  cleanHost,
  containersOf,
  isRunning,
  localHost,
  PASSWORD,
  reaches,
  request,
  setUp,
  setupCodeIn,
  signIn,
} from '../setup/journey';
import { ensureTraefikImage, TRAEFIK_IMAGE, traefikIsThere } from '../setup/traefik';
import { TlsDoor } from '../setup/tls-door';

const BUILD_LIMIT_MS = 15 * 60_000;
const STEP_LIMIT_MS = 90_000;

const canRun = engineIsThere() && consoleImageCanBeBuilt() && traefikIsThere();

/** Console, agent and Traefik with what `compose.yaml` says of them, and read-only besides; the steps build on each other. */
describe.skipIf(!canRun)('the container image', () => {
  const name = `berth-test-${randomUUID().slice(0, 8)}`;
  const [consoleName, agentName, traefikName] = ['console', 'agent', 'traefik'].map((each) => `${name}-${each}`) as [
    string,
    string,
    string,
  ];
  const net = `172.31.${randomInt(1, 250)}`;
  const { services, networks } = readComposeFile({
    BERTH_IMAGE: CONSOLE_IMAGE,
    BERTH_TRAEFIK_IMAGE: TRAEFIK_IMAGE,
    BERTH_PUBLIC_URL: 'https://berth.test',
    BERTH_APPS_DOMAIN: 'apps.test',
    BERTH_ACME_EMAIL: 'mara@example.org',
    // Nobody is asked for certificates.
    BERTH_ACME_SERVER: 'https://127.0.0.1:1/directory',
    ...{ BERTH_PORT: '127.0.0.1:', BERTH_HTTP_PORT: '127.0.0.1:', BERTH_HTTPS_PORT: '127.0.0.1:' },
    ...{ BERTH_SUBNET: `${net}.0/24`, BERTH_SUBNET_REST: `${net}.128/25`, BERTH_PROXY_ADDRESS: `${net}.2` },
  });
  let pb: PocketBase;
  let hostId = '';
  let workspaceId = '';

  beforeAll(async () => {
    await Promise.all([ensureBaseImage(), ensureTraefikImage(), buildConsoleImage()]);
    const [{ subnet, ip_range: rest }] = networks.default.ipam.config;
    await docker('network', 'create', '--subnet', subnet, '--ip-range', rest, name);
  }, BUILD_LIMIT_MS);

  afterAll(async () => {
    await docker('rm', '-f', traefikName, agentName, consoleName).catch(() => undefined);
    if (hostId) await cleanHost(hostId);
    await docker('network', 'rm', name).catch(() => undefined);
    const volumes = ['data', 'join', 'agent', 'certificates'].map((each) => `${name}-berth-${each}`);
    await docker('volume', 'rm', '-f', ...volumes);
  });

  const run = (service: string): Promise<string> =>
    docker(
      ...['run', '-d', '--read-only', '--name', `${name}-${service}`],
      ...runArguments(services[service]!, { project: name, alias: service }),
    );

  /** Resolves with the console's address once the image's own health check is green. */
  async function runConsole(): Promise<string> {
    await run('console');
    const read = (): Promise<string> => docker('inspect', '-f', '{{.State.Health.Status}}', consoleName);
    await eventually('the console is healthy', async () => (await read()) === 'healthy', 60_000);
    return `http://${await docker('port', consoleName, '3000')}`;
  }

  const runAgent = (): Promise<string> => run('agent');

  /** Stops a container as the engine does and resolves with the milliseconds that it took. */
  async function stop(container: string): Promise<number> {
    const sinceMs = Date.now();
    await docker('stop', '-t', '30', container);
    const tookMs = Date.now() - sinceMs;
    expect(await docker('inspect', '-f', '{{.State.ExitCode}}', container)).toBe('0');
    return tookMs;
  }

  it(
    'serves its pages as an ordinary user',
    async () => {
      const url = await runConsole();
      expect(await docker('exec', consoleName, 'id', '-u')).toBe('1000');
      const page = await fetch(`${url}/first-steps`);
      expect(page.status).toBe(200);
      const script = /\/_next\/static\/[^"]+\.js/.exec(await page.text())?.[0];
      expect((await fetch(`${url}${script}`)).status).toBe(200);
      pb = await setUp(url, setupCodeIn(await docker('logs', consoleName)));
    },
    STEP_LIMIT_MS,
  );

  it(
    'joins as an agent by the token that the console left, and runs a workspace on the real engine',
    async () => {
      await runAgent();
      const host = await localHost(pb);
      hostId = host.id;
      expect(host.engine.kind).toBe('docker');
      const image = await buildImage(pb, hostId, { name: 'contained' });
      const workspace = await pb
        .collection('workspaces')
        .create({ name: 'contained', host: hostId, image: image.id, enabled: true });
      workspaceId = workspace.id;
      await request(pb, 'workspace', workspaceId, 'start');
      await reaches(pb, { collection: 'workspaces', id: workspaceId, status: 'running' });
      const [container] = await containersOf(workspaceId);
      expect(await isRunning(container!)).toBe(true);
      const token = (): Promise<string> => docker('exec', consoleName, 'ls', '/join');
      await eventually('the console took the token back', async () => (await token()) === '', 40_000);
      // SQLite finds room for what it puts aside, although no folder of the system can be written.
      expect(await docker('logs', consoleName)).not.toContain('disk I/O error');
    },
    STEP_LIMIT_MS,
  );

  it(
    'stops within seconds and keeps its data for the next container',
    async () => {
      const before = await containersOf(workspaceId);
      expect(await stop(consoleName)).toBeLessThan(8000);
      await docker('rm', consoleName);
      const url = await runConsole();
      pb = await signIn(url, admin.username);
      await eventually('the agent is back', async () => {
        const host = await localHost(pb);
        return host.id === hostId && host.engine.liveLink;
      });
      await reaches(pb, { collection: 'workspaces', id: workspaceId, status: 'running' });
      expect(await containersOf(workspaceId)).toEqual(before);
    },
    STEP_LIMIT_MS,
  );

  it(
    'leaves workspaces running when the agent stops, and knows them again afterwards',
    async () => {
      const before = await containersOf(workspaceId);
      expect(await stop(agentName)).toBeLessThan(8000);
      expect(await isRunning(before[0]!)).toBe(true);
      await docker('rm', agentName);
      await runAgent();
      await localHost(pb);
      await request(pb, 'workspace', workspaceId, 'stop');
      await reaches(pb, { collection: 'workspaces', id: workspaceId, status: 'stopped' });
      expect(await containersOf(workspaceId)).toEqual(before);
    },
    STEP_LIMIT_MS,
  );

  describe('behind the Traefik of the file', () => {
    let door: TlsDoor;

    beforeAll(async () => {
      await run('traefik');
      const port = Number((await docker('port', traefikName, '443/tcp')).split(':').at(-1));
      door = new TlsDoor(port);
      await eventually(
        'Traefik serves the console',
        async () => (await door.get('berth.test', '/api/health')).status === 200,
      );
    }, STEP_LIMIT_MS);

    it('serves pages, live events and the link of hosts, and nothing at other names', async () => {
      const page = await door.get('berth.test', '/login');
      expect(page).toMatchObject({ status: 200, text: expect.stringContaining('<html') });
      expect((await door.get('other.test', '/login')).status).toBe(404);
      expect(await door.firstEvent('berth.test', '/api/realtime')).toContain('PB_CONNECT');
      // The console's own refusal of an upgrade without a proof: a proxy that knows no WebSockets answers something else.
      expect(await door.upgrade('berth.test', '/api/agent/link')).toBe(401);
      const plain = (await docker('port', traefikName, '80/tcp')).split(':').at(-1);
      const asked = await fetch(`http://127.0.0.1:${plain}/login`, { redirect: 'manual' });
      expect(asked.status).toBeGreaterThanOrEqual(300);
      expect(asked.headers.get('location')).toMatch(/^https:/);
    });

    it('leads to ports of workspaces under the apps domain, by the console’s log-in', async () => {
      const answer = await door.get(`8080--${workspaceId}.apps.test`, '/', { accept: 'text/html' });
      expect(answer.status).toBe(307);
      expect(answer.headers.location).toMatch(/^https:\/\/berth\.test\/verify\/\?/);
      expect((await door.get('apps.test', '/login')).status).toBe(404);
    });

    it('tells the console who calls, which believes nobody else', async () => {
      const forged = {
        'x-forwarded-for': '203.0.113.77',
        'x-forwarded-proto': 'https',
        'user-agent': 'forger',
        'content-type': 'application/json',
      };
      const body = JSON.stringify({ identity: admin.username, password: PASSWORD });
      const path = '/api/collections/users/auth-with-password';
      expect((await door.send('berth.test', path, { headers: forged, body })).status).toBe(200);
      const direct = `http://${await docker('port', consoleName, '3000')}`;
      expect((await fetch(`${direct}${path}`, { method: 'POST', headers: forged, body })).status).toBe(200);
      const told = () => pb.collection('audit').getList(1, 2, { sort: '-created', filter: 'userAgent ~ "forger"' });
      await eventually('both log-ins are told of', async () => (await told()).items.length === 2);
      // The network's gateway, first of its range, brings both from this machine: neither what was forged nor Traefik's own.
      expect((await told()).items.map(({ address }) => address)).toEqual([`${net}.128`, `${net}.128`]);
    });
  });
});
