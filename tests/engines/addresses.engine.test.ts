import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { hash } from '@node-rs/bcrypt';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DockerEngine } from '@/agent/engines/docker/docker-engine';
import type { ReverseProxySpec, RouteSpec } from '@/lib/protocol/specs/route';
import { createFixture, type Fixture } from '../agent/agent-fixture';
import { makeHostSpec, makeWorkspaceSpec } from '../agent/specs';
import { docker as run } from '../setup/docker';
import { ensureTraefikImage, traefikIsThere } from '../setup/traefik';
import { buildBusybox, docker, dockerAbsence, listOurs, removeAll } from './docker-fixture';
import { SERVE, TestDoor, TestTraefik } from './traefik-fixture';

const imageHost = `i${randomUUID().slice(0, 8)}`;
const reference = `berth-test/${imageHost}:1`;
const steering = `berth-test/${imageHost}-steering:1`;
const canRun = dockerAbsence === '' && traefikIsThere();
const AGAINST = { timeout: 20_000, interval: 100 };

describe.skipIf(!canRun).each(['labels', 'files'] as const)('addresses by %s', (routedBy) => {
  const door = new TestDoor();
  let traefik: TestTraefik;
  let hostId: string;
  let fixture: Fixture;
  let forwardAuth: string;
  let password: string;

  beforeAll(async () => {
    await ensureTraefikImage();
    await buildBusybox(imageHost, reference, ['STOPSIGNAL SIGKILL']);
    await buildBusybox(imageHost, steering, [
      'STOPSIGNAL SIGKILL',
      'LABEL traefik.http.routers.mine.rule=Host(`bank`)',
    ]);
    forwardAuth = await door.start();
    password = await hash('open sesame', { cost: 4 });
  }, 20 * 60_000);
  afterAll(async () => {
    await door.stop();
    await removeAll(imageHost);
  }, 60_000);
  beforeEach(async () => {
    hostId = `h${randomUUID().slice(0, 8)}`;
    traefik = new TestTraefik(`berth-test-traefik-${hostId}`);
    await traefik.start();
    fixture = await createFixture(new DockerEngine({ dockerHost: '' }), hostId);
    wantProxy();
  }, 60_000);
  afterEach(async () => {
    await fixture.close();
    await traefik.close();
    await removeAll(hostId);
  }, 60_000);

  const type = routedBy === 'labels' ? 'traefikDockerProvider' : 'traefikFileProvider';
  function wantProxy(overrides: Partial<ReverseProxySpec> = {}): void {
    const places = { containerName: traefik.name, configFileLocation: routedBy === 'files' ? traefik.folder : '' };
    const reverseProxy: ReverseProxySpec = {
      type,
      ...places,
      entryPoint: 'web',
      certResolver: 'le',
      forwardAuth,
      furtherAuth: [],
      ...overrides,
    };
    fixture.console.want(hostId, { kind: 'host', spec: makeHostSpec({ reverseProxy }) });
  }
  const route = (hostName: string, protection: RouteSpec['protection'] = { kind: 'none' }): RouteSpec => {
    return { scheme: 'http', hostName, port: 8080, protection };
  };
  const basic = (): RouteSpec['protection'] => ({ kind: 'basic', users: [{ name: 'ada', hash: password }] });
  function want(id: string, routes: RouteSpec[], overrides: Parameters<typeof makeWorkspaceSpec>[0] = {}): void {
    const { generation = 1, ...rest } = overrides;
    const spec = makeWorkspaceSpec({
      name: id,
      image: { reference, id: '', pull: false },
      command: SERVE,
      environment: [{ name: 'NAME', value: `${id}-${generation}` }],
      isolation: { ownerId: 'ada', pidsLimit: 4096, allowNewPrivileges: false, keepNetRaw: false },
      routes,
      routedBy: routes.length > 0 ? routedBy : '',
      generation,
      ...rest,
    });
    fixture.console.want(id, { kind: 'workspace', spec });
  }
  const statusOf = (host: string, headers = {}) =>
    traefik.get(host, headers).then(
      ({ status }) => status,
      () => 0,
    );
  const textOf = (host: string, headers = {}) =>
    traefik.get(host, headers).then(
      ({ text }) => text,
      () => '',
    );
  const files = () => fs.readdirSync(traefik.folder).filter((name) => name.startsWith('berth-'));
  const login = (word: string) => ({ authorization: `Basic ${Buffer.from(`ada:${word}`).toString('base64')}` });
  const idsOf = async () => (await listOurs(hostId)).map(({ Id }) => Id).toSorted();

  it('answer, ask for the password, and let upgrades through', async () => {
    want('w1', [route('open.test'), route('shut.test', basic())]);
    await expect.poll(() => textOf('open.test'), AGAINST).toContain('name=w1-1');
    expect(await statusOf('shut.test')).toBe(401);
    expect(await statusOf('shut.test', login('wrong'))).toBe(401);
    const inside = await traefik.get('shut.test', login('open sesame'));
    expect([inside.status, inside.text]).toEqual([200, expect.stringContaining('name=w1-1')]);
    expect(inside.text.toLowerCase()).not.toContain('authorization');
    expect(await traefik.echo('open.test', 'hello')).toBe('hello');
    expect(await traefik.echo('shut.test', 'hello')).toBe('401');
    expect(await traefik.echo('shut.test', 'hello', login('open sesame'))).toBe('hello');
    await expect.poll(() => fixture.console.status('w1')).toMatchObject({ status: 'running', message: '' });
  }, 60_000);

  it('ask the console who comes, and tell the workspace nothing that a client says of itself', async () => {
    want('w1', [route('open.test'), route('inner.test', { kind: 'forwardAuth' })]);
    await expect.poll(() => statusOf('inner.test', { cookie: 'berth-auth=ada' }), AGAINST).toBe(200);
    expect(await statusOf('inner.test')).toBe(401);
    expect(await statusOf('inner.test', { cookie: 'berth-auth=eve' })).toBe(401);
    const lies = {
      'X-Forwarded-User': 'root',
      X_Forwarded_User: 'root',
      'x_forwarded-user': 'root',
      'X-Forwarded_USER': 'root',
    };
    const inside = await textOf('inner.test', { ...lies, cookie: 'berth-auth=ada' });
    expect(inside).toMatch(/^X-Forwarded-User: ada$/im);
    expect(inside).not.toContain('root');
    expect(await textOf('open.test', lies)).not.toMatch(/root|forwarded.user/i);
    expect(door.asked.at(-1)).toMatchObject({ 'x-forwarded-host': 'inner.test' });
    expect(JSON.stringify(door.asked)).not.toContain('root');
    expect(await traefik.echo('inner.test', 'hello')).toBe('401');
    expect(await traefik.echo('inner.test', 'hello', { cookie: 'berth-auth=ada' })).toBe('hello');
  }, 60_000);

  it('lead to the new container after a redeploy, and nowhere once they are taken away', async () => {
    want('w1', [route('lab.test', basic())]);
    await expect.poll(() => textOf('lab.test', login('open sesame')), AGAINST).toContain('name=w1-1');
    const seen = new Set<number>();
    let isOver = false;
    const asking = (async () => {
      while (!isOver) seen.add(await statusOf('lab.test'));
    })();
    want('w1', [route('lab.test', basic())], { generation: 2, remake: 2 });
    await expect.poll(() => textOf('lab.test', login('open sesame')), AGAINST).toContain('name=w1-2');
    await expect.poll(async () => (await idsOf()).length, AGAINST).toBe(1);
    isOver = true;
    await asking;
    // Nobody without the password was let in on the way, and by files nobody was turned away for another reason.
    expect(seen).not.toContain(200);
    if (routedBy === 'files') expect([...seen]).toEqual([401]);
    want('w1', [], { generation: 3 });
    await expect.poll(() => statusOf('lab.test', login('open sesame')), AGAINST).toBe(404);
    expect(files()).toEqual([]);
  }, 90_000);

  it('make the container anew where they are its labels, and only there', async () => {
    want('w1', [route('one.test')]);
    await expect.poll(() => statusOf('one.test'), AGAINST).toBe(200);
    const before = await idsOf();
    want('w1', [route('one.test', basic()), route('two.test')]);
    await expect.poll(() => statusOf('two.test'), AGAINST).toBe(200);
    await expect.poll(() => statusOf('one.test'), AGAINST).toBe(401);
    await expect.poll(async () => (await idsOf()).length, AGAINST).toBe(1);
    if (routedBy === 'files') expect(await idsOf()).toEqual(before);
    else expect(await idsOf()).not.toEqual(before);
  }, 60_000);

  it("keep people's workspaces apart, and show Traefik none that nobody gave an address", async () => {
    want('w1', [route('ada.test', basic())]);
    const eve = { ownerId: 'eve', pidsLimit: 4096, allowNewPrivileges: false, keepNetRaw: false };
    want('w2', [route('eve.test')], { isolation: eve });
    want('w3', []);
    await expect.poll(() => statusOf('eve.test'), AGAINST).toBe(200);
    await expect.poll(() => statusOf('ada.test'), AGAINST).toBe(401);
    await expect.poll(() => fixture.console.status('w3')?.status, AGAINST).toBe('running');
    const named: Record<string, { Id: string; name: string }> = {};
    for (const { Id, Names, Labels } of await listOurs(hostId))
      named[Labels['berth.id']!] = { Id, name: Names[0]!.slice(1) };
    const inspected = await docker.getContainer(named.w1!.Id).inspect();
    const address = inspected.NetworkSettings.Networks[`berth-proxy-${hostId}-ada`]!.IPAddress;
    const knock = `printf 'GET / HTTP/1.0\\r\\n\\r\\n' | /bin/busybox timeout 3 /bin/busybox nc -w 2 ${address} 8080`;
    expect(await run('exec', named.w1!.Id, '/bin/sh', '-c', knock)).toContain('name=w1-1');
    await expect(run('exec', named.w2!.Id, '/bin/sh', '-c', knock)).rejects.toThrow();
    // Traefik makes a router of a container's own name, unless the container says no.
    for (const { name } of Object.values(named)) expect(await statusOf(name)).toBe(404);
    expect((await traefik.networks()).trim().split(' ').toSorted()).toEqual(
      ['bridge', `berth-proxy-${hostId}-ada`, `berth-proxy-${hostId}-eve`].toSorted(),
    );
    for (const id of ['w1', 'w2', 'w3']) fixture.console.want(id, null);
    await expect.poll(() => traefik.networks().then((text) => text.trim()), AGAINST).toBe('bridge');
    expect(await docker.listNetworks({ filters: { label: [`berth.host=${hostId}`] } })).toEqual([]);
    await expect.poll(files, AGAINST).toEqual([]);
  }, 90_000);

  it('come back when Traefik was made anew, and say what is wrong meanwhile', async () => {
    want('w1', [route('lab.test')]);
    await expect.poll(() => statusOf('lab.test'), AGAINST).toBe(200);
    const before = await idsOf();
    await traefik.stop();
    await fixture.restartAgent(new DockerEngine({ dockerHost: '' }));
    await expect
      .poll(() => fixture.console.status('w1'), AGAINST)
      .toMatchObject({
        status: 'error',
        message: expect.stringContaining(`there is no container ${traefik.name} of Traefik`),
      });
    await traefik.start();
    await expect.poll(() => statusOf('lab.test'), AGAINST).toBe(200);
    await expect.poll(() => fixture.console.status('w1')?.status, AGAINST).toBe('running');
    expect(await idsOf()).toEqual(before);
  }, 90_000);

  if (routedBy === 'labels')
    it('are not given to an image that has labels for Traefik itself', async () => {
      want('w1', [route('lab.test')], { image: { reference: steering, id: '', pull: false } });
      await expect
        .poll(() => fixture.console.status('w1'), AGAINST)
        .toMatchObject({
          status: 'error',
          message: expect.stringContaining('traefik.http.routers.mine.rule'),
        });
      expect(await statusOf('bank')).toBe(404);
    }, 60_000);

  if (routedBy === 'files')
    it('lie in files that only this host writes, and say why they can not', async () => {
      fs.writeFileSync(path.join(traefik.folder, 'berth-other.yml'), '# somebody else\nhttp: {}\n');
      want('w1', [route('lab.test')]);
      await expect.poll(files, AGAINST).toEqual(['berth-other.yml', 'berth-w1.yml']);
      wantProxy({ configFileLocation: path.join(traefik.folder, 'none') });
      await expect
        .poll(() => fixture.console.status('w1'), AGAINST)
        .toMatchObject({
          status: 'error',
          message: expect.stringContaining('there is no such folder where the agent runs'),
        });
      expect((await listOurs(hostId)).map(({ State }) => State)).toEqual(['running']);
      expect(files()).toEqual(['berth-other.yml']);
    }, 60_000);
});
