import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DockerEngine } from '@/agent/engines/docker/docker-engine';
import { readAnswer } from '@/lib/hosts/link/ask-host';
import { readChunks } from '@/lib/hosts/link/stream-chunks';
import type { ObservedProxy } from '@/lib/protocol/observed-proxy';
import { type OpenTraefik, traefikReportSchema } from '@/lib/protocol/proxy-streams';
import type { ProxySpec } from '@/lib/protocol/specs/proxy';
import { createFixture, type Fixture } from '../agent/agent-fixture';
import { makeHostSpec } from '../agent/specs';
import { eventually } from '../setup/console-process';
import { docker as run, ensureBaseImage, BASE_IMAGE } from '../setup/docker';
import { ensureTraefikImage, TRAEFIK_IMAGE, TRAEFIK_VERSION, traefikIsThere } from '../setup/traefik';
import { docker, dockerAbsence, listOurs, removeAll } from './docker-fixture';

/** A real agent and a real Traefik on the real engine. */
const hostId = `h${randomUUID().slice(0, 8)}`;
const containerName = `${hostId}-traefik`;
const networkName = `${hostId}-web`;
const folder = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'berth-proxy-')), 'traefik');

function config(more = ''): string {
  return [
    '[api]',
    'insecure = true',
    '[entryPoints.web]',
    'address = ":80"',
    '[providers.file]',
    `directory = "${folder}/dynamic"`,
    'watch = true',
    more,
  ].join('\n');
}

const makeSpec = (overrides: Partial<ProxySpec> = {}): ProxySpec => ({
  image: { reference: TRAEFIK_IMAGE, tag: `berth/base:${'0'.repeat(40)}`, pullTimeoutMs: 5000 },
  containerName,
  networkName,
  ports: [{ containerPort: 80, hostPort: 0, protocol: 'tcp' }],
  config: config(),
  folder,
  socketPath: '',
  ...overrides,
});

describe.skipIf(dockerAbsence !== '' || !traefikIsThere())('a Traefik that the agent deploys', () => {
  let fixture: Fixture;

  beforeAll(async () => {
    await ensureTraefikImage();
    await ensureBaseImage();
    fixture = await createFixture(new DockerEngine({ dockerHost: '' }), hostId);
    fixture.console.want(hostId, { kind: 'host', spec: makeHostSpec() });
  }, 20 * 60_000);
  afterAll(async () => {
    await fixture?.close();
    await run('rm', '-f', containerName).catch(() => undefined);
    await removeAll(hostId);
    fs.rmSync(path.dirname(folder), { recursive: true, force: true });
  }, 60_000);

  const want = (spec: ProxySpec | null) => fixture.console.wantRaw({ kind: 'proxy', id: hostId, spec });
  const last = () => fixture.console.proxies.at(-1);
  const until = (status: ObservedProxy['status'], isMeant: (told: ObservedProxy) => boolean = () => true) =>
    fixture.console.until(() => {
      const told = last();
      return told?.status === status && isMeant(told) ? told : undefined;
    }, 30_000);
  const inspect = () => docker.getContainer(containerName).inspect();

  /** Asks as the console does, over the live link. */
  async function ask(overrides: Partial<OpenTraefik> = {}) {
    const open: OpenTraefik = { kind: 'traefik', containerName, apiPort: 8080, ...overrides };
    const stream = fixture.console.link!.mux.open(open);
    return readAnswer(readChunks(stream, AbortSignal.timeout(10_000)), traefikReportSchema);
  }

  it('runs as it was asked for, and its API says its version', async () => {
    want(makeSpec());
    const told = await until('running');
    expect(told).toMatchObject({ message: '', image: TRAEFIK_IMAGE, retries: 0 });
    expect(Math.abs(Date.now() - told.startedAt)).toBeLessThan(30_000);
    const { HostConfig, Mounts, Config, Id } = await inspect();
    expect(Id).toBe(told.containerId);
    expect(HostConfig).toMatchObject({ NetworkMode: networkName, RestartPolicy: { Name: 'unless-stopped' } });
    expect(Config.Labels).toMatchObject({ 'berth.host': hostId, 'berth.kind': 'proxy' });
    const mounts = Mounts.map(({ Source, Destination, RW }) => ({ Source, Destination, RW }));
    expect(mounts.toSorted((a, b) => (a.Source < b.Source ? -1 : 1))).toEqual([
      { Source: `${folder}/dynamic`, Destination: `${folder}/dynamic`, RW: false },
      { Source: `${folder}/traefik.toml`, Destination: '/etc/traefik/traefik.toml', RW: false },
    ]);
    expect(fs.statSync(`${folder}/traefik.toml`).mode & 0o777).toBe(0o600);
    const report = await ask();
    expect(report.version).toBe(TRAEFIK_VERSION);
    expect(report.entryPoints).toContainEqual({ name: 'web', address: ':80' });
  }, 60_000);

  it('tells its routers, and what is wrong with one', async () => {
    const routers = (name: string, service: string) =>
      `[http.routers.${name}]\nrule = "Host(\`${name}.example\`)"\nservice = "${service}"\n`;
    const services =
      '[http.services.real.loadBalancer]\n[[http.services.real.loadBalancer.servers]]\nurl = "http://127.0.0.1:9"\n';
    fs.writeFileSync(`${folder}/dynamic/app.toml`, routers('good', 'real') + routers('lost', 'nowhere') + services);
    await eventually('both routers are told', async () =>
      (await ask()).routers.some(({ name }) => name === 'lost@file'),
    );
    const { routers: told, routersTotal } = await ask();
    expect(told.find(({ name }) => name === 'good@file')).toMatchObject({
      rule: 'Host(`good.example`)',
      service: 'real',
      status: 'enabled',
      errors: [],
    });
    const lost = told.find(({ name }) => name === 'lost@file');
    expect(lost).toMatchObject({ status: 'disabled' });
    expect(lost?.errors.join()).toContain('does not exist');
    expect(routersTotal).toBeGreaterThanOrEqual(told.length);
  }, 30_000);

  it('says what to add where an API is off, and what it can not ask', async () => {
    await expect(ask({ apiPort: 9 })).rejects.toThrow('[api] with insecure = true');
    await expect(ask({ apiPort: 80 })).rejects.toThrow('it answered 404');
    await expect(ask({ containerName: `${hostId}-none` })).rejects.toThrow('The host has no container');
  });

  it('is left as it is by an agent that starts anew and by a host that is renamed', async () => {
    const { Id, State } = await inspect();
    await fixture.restartAgent(new DockerEngine({ dockerHost: '' }));
    fixture.console.proxies.length = 0;
    fixture.console.want(hostId, { kind: 'host', spec: makeHostSpec({ name: 'renamed' }) });
    // The image is asked for with an account by now: that is about how it is fetched.
    const account = { serveraddress: 'registry.example', username: 'u', password: 'p' };
    want(makeSpec({ image: { ...makeSpec().image, account } }));
    await until('running');
    const after = await inspect();
    expect([after.Id, after.State.StartedAt]).toEqual([Id, State.StartedAt]);
    expect(await listOurs(hostId)).toHaveLength(1);
  }, 60_000);

  it('is made anew once for another configuration', async () => {
    const { Id } = await inspect();
    want(makeSpec({ config: config('[log]\nlevel = "DEBUG"') }));
    const told = await until('running', ({ containerId }) => containerId !== Id);
    const made = await inspect();
    expect(made.Id).toBe(told.containerId);
    expect(fs.readFileSync(`${folder}/traefik.toml`, 'utf8')).toContain('DEBUG');
    expect(fixture.console.proxies.filter(({ containerId }) => ![Id, made.Id, ''].includes(containerId))).toEqual([]);
    expect((await ask()).version).toBe(TRAEFIK_VERSION);
  }, 60_000);

  it('gets its configuration back where somebody changed it on the host', async () => {
    const { Id } = await inspect();
    fs.writeFileSync(`${folder}/traefik.toml`, config('[log]\nlevel = "TRACE"'));
    await fixture.restartAgent(new DockerEngine({ dockerHost: '' }));
    await until('running', ({ containerId }) => containerId !== Id);
    expect(fs.readFileSync(`${folder}/traefik.toml`, 'utf8')).toContain('DEBUG');
  }, 60_000);

  it('gets the engine’s socket where it asks for it', async () => {
    const before = await inspect();
    expect(before.Mounts.some(({ Destination }) => Destination.endsWith('docker.sock'))).toBe(false);
    const docker = '[providers.docker]\nexposedByDefault = false';
    want(makeSpec({ config: config(docker), socketPath: '/var/run/docker.sock' }));
    await until('running', ({ containerId }) => containerId !== before.Id);
    const { Mounts } = await inspect();
    expect(Mounts.find(({ Destination }) => Destination === '/var/run/docker.sock')).toMatchObject({ RW: false });
    const labels = ['traefik.enable=true', `traefik.http.routers.${hostId}.rule=Host(\`labels.example\`)`];
    const flags = labels.flatMap((label) => ['--label', label]);
    const app = await run(
      'run',
      '-d',
      '--network',
      networkName,
      ...flags,
      '--expose',
      '80',
      BASE_IMAGE,
      'sleep',
      '600',
    );
    await eventually('its router is told', async () =>
      (await ask()).routers.some(({ name }) => name === `${hostId}@docker`),
    );
    await run('rm', '-f', app);
  }, 60_000);

  it('is not made where the engine does not see what the agent wrote', async () => {
    const { proxies } = new DockerEngine({ dockerHost: '' });
    const seen = { hostId, image: TRAEFIK_IMAGE, configFile: `${folder}/traefik.toml`, config: 'another' };
    const words = 'The engine does not see what the agent wrote';
    await expect(proxies.requireSeen(seen)).rejects.toThrow(words);
    await expect(proxies.requireSeen({ ...seen, configFile: `${folder}/nowhere.toml` })).rejects.toThrow(words);
    await expect(proxies.ensureNetwork(hostId, `berth-${hostId}-owner`)).rejects.toThrow('only Berth gives names');
    await proxies.requireSeen({ ...seen, config: fs.readFileSync(seen.configFile, 'utf8') });
    expect(await listOurs(hostId)).toHaveLength(1);
  }, 60_000);

  it('comes back when it is killed', async () => {
    const before = await inspect();
    await run('kill', containerName);
    await eventually('it runs again', async () => {
      const { State, Id } = await inspect();
      return Id === before.Id && State.Running && State.StartedAt !== before.State.StartedAt;
    });
    await until('running');
  }, 60_000);

  it('says in its own words why it can not run', async () => {
    want(makeSpec({ config: config('[entryPoints.bad]\naddress = "nonsense"') }));
    const told = await until('error');
    expect(told.message).toContain('It ends by itself again and again');
    expect(told.message).toMatch(/nonsense|address/i);
    want(makeSpec());
    await until('running');
  }, 60_000);

  it('goes when it is switched off, with its file and its network', async () => {
    want(null);
    await until('absent');
    expect(await listOurs(hostId)).toEqual([]);
    expect(await run('network', 'ls', '-q', '--filter', `name=${networkName}`)).toBe('');
    expect(fs.existsSync(`${folder}/traefik.toml`)).toBe(false);
    expect(fs.existsSync(`${folder}/dynamic/app.toml`)).toBe(true);
  }, 60_000);

  it('takes no container of somebody else’s by its name', async () => {
    const foreign = await run('run', '-d', '--name', containerName, BASE_IMAGE, 'sleep', '600');
    want(makeSpec());
    const told = await until('error');
    expect(told.message).toContain(`a container ${containerName} that Berth did not make`);
    expect((await inspect()).Id).toBe(foreign);
    expect((await inspect()).State.Running).toBe(true);
    want(null);
    await until('absent');
    expect((await inspect()).Id).toBe(foreign);
  }, 60_000);
});
