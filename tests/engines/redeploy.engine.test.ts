import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DockerEngine } from '@/agent/engines/docker/docker-engine';
import type { ObservedWorkspace } from '@/lib/protocol/calls';
import { createFixture, type Fixture } from '../agent/agent-fixture';
import { makeWorkspaceSpec } from '../agent/specs';
import { docker as run } from '../setup/docker';
import { type PrivateRegistry, registryIsThere, startRegistry } from '../setup/registry';
import { buildBusybox, docker, dockerAbsence, listOurs, removeAll } from './docker-fixture';

const imageHost = `i${randomUUID().slice(0, 8)}`;
const reference = `berth-test/${imageHost}:1`;
const SERVE = ['/bin/sh', '-c', 'echo hello > /index.html; exec /bin/busybox httpd -f -p 80 -h /'];
const BROKEN = ['/bin/sh', '-c', 'exit 4'];

describe.skipIf(dockerAbsence !== '')('a redeploy on Docker', () => {
  let hostId: string;
  let fixture: Fixture;

  beforeAll(() => buildBusybox(imageHost, reference, ['STOPSIGNAL SIGKILL']), 60_000);
  afterAll(() => removeAll(imageHost), 60_000);
  beforeEach(async () => {
    hostId = `h${randomUUID().slice(0, 8)}`;
    fixture = await createFixture(new DockerEngine({ dockerHost: '' }), hostId);
  });
  afterEach(async () => {
    await fixture.close();
    await removeAll(hostId);
  }, 60_000);

  type Overrides = Parameters<typeof makeWorkspaceSpec>[0];
  function want(generation: number, overrides: Overrides = {}): void {
    const spec = makeWorkspaceSpec({
      name: hostId,
      image: { reference, id: '', pull: false },
      command: SERVE,
      generation,
      remake: generation > 1 ? generation : 0,
      ...overrides,
    });
    fixture.console.want('w1', { kind: 'workspace', spec });
  }
  const until = (generation: number, status: ObservedWorkspace['status']) =>
    fixture.console.until(() => {
      const told = fixture.console.status('w1');
      return told?.generation === generation && told.status === status ? told : undefined;
    }, 30_000);
  const keysOf = (generation: number) =>
    fixture.console.steps
      .filter((step) => step.generation === generation && step.status === 'done')
      .map(({ key }) => key);
  const ports = (hostPort: number) => [{ containerPort: 80, protocol: 'tcp' as const, hostPort, hostIp: '127.0.0.1' }];
  const states = async () => (await listOurs(hostId)).map(({ Id, State }) => [Id, State]);

  it('keeps the old container serving, without a failed request, while a broken one comes and goes', async () => {
    const [before, after] = [freePort(), freePort()];
    want(1, { ports: ports(before) });
    const first = await until(1, 'running');
    await expect.poll(() => get(before)).toBe('hello\n');
    const asking = keepAsking(before);
    // As the console asks for it beside the old one: with another port of its own.
    want(2, { ports: ports(after), command: BROKEN });
    const failed = await until(2, 'error');
    expect(failed.message).toContain('Exited with code 4');
    want(3, {
      ports: ports(after),
      order: 'stop-first',
      image: { reference: 'berth-test/none:1', id: '', pull: false },
    });
    expect((await until(3, 'error')).message).not.toContain('started again');
    const { answers, failures } = await asking.stop();
    expect(answers).toBeGreaterThan(20);
    expect(failures).toEqual([]);
    expect(await states()).toEqual([[first.containerId, 'running']]);
    want(4, { ports: ports(after) });
    const up = await until(4, 'running');
    expect(up.containerId).not.toBe(first.containerId);
    expect(await get(after)).toBe('hello\n');
    await expect.poll(states).toEqual([[up.containerId, 'running']]);
  }, 90_000);

  it('stops the old container first where that is asked, and for a port that both need', async () => {
    const fixed = freePort();
    want(1);
    const first = await until(1, 'running');
    want(2, { order: 'stop-first' });
    const second = await until(2, 'running');
    await expect.poll(states).toEqual([[second.containerId, 'running']]);
    expect(keysOf(2).slice(0, 4)).toEqual(['image', 'create', 'stop', 'start']);
    want(3, { ports: ports(fixed) });
    await until(3, 'running');
    expect(keysOf(3)).not.toContain('stop');
    want(4, { ports: ports(fixed) });
    await until(4, 'running');
    expect(keysOf(4)).toContain('stop');
    expect(await get(fixed)).toBe('hello\n');
    expect(second.containerId).not.toBe(first.containerId);
  }, 90_000);

  it('starts the old container again where it was stopped first and the new one does not come up', async () => {
    const port = freePort();
    want(1, { ports: ports(port) });
    const first = await until(1, 'running');
    want(2, { ports: ports(port), order: 'stop-first', command: BROKEN });
    const failed = await until(2, 'error');
    expect(failed.message).toMatch(/Exited with code 4.*The previous container was started again/s);
    expect(keysOf(2)).toEqual(expect.arrayContaining(['stop', 'restore']));
    expect(await states()).toEqual([[first.containerId, 'running']]);
    await expect.poll(() => get(port)).toBe('hello\n');
  }, 90_000);

  describe.skipIf(!registryIsThere())('that is to take a newer image', () => {
    let registry: PrivateRegistry;
    const own = `berth/${imageHost.padEnd(15, '0')}:1`;
    const fresh = (generation: number) => `${own}-w23456789012345-${generation}`;
    const account = () => ({
      serveraddress: registry.address,
      username: registry.username,
      password: registry.password,
    });
    const pulled = (tag: string) => ({
      reference: `${registry.address}/team/app:1`,
      tag,
      id: '',
      pull: true,
      account: account(),
    });
    async function digestOf(repository: string, tag: string): Promise<string> {
      const basic = Buffer.from(`${registry.username}:${registry.password}`).toString('base64');
      const accept = 'application/vnd.docker.distribution.manifest.v2+json, application/vnd.oci.image.manifest.v1+json';
      const url = `http://${registry.address}/v2/${repository}/manifests/${tag}`;
      const answer = await fetch(url, { method: 'HEAD', headers: { authorization: `Basic ${basic}`, accept } });
      return answer.headers.get('docker-content-digest') ?? '';
    }
    const imageStep = (generation: number) =>
      fixture.console.steps.findLast((step) => step.generation === generation && step.key === 'image')?.message;

    beforeAll(async () => {
      registry = await startRegistry();
    }, 60_000);
    afterAll(async () => {
      await registry?.dispose();
      const left = (await run('images', '--format', '{{.Repository}}:{{.Tag}}')).split('\n');
      for (const tag of left.filter((each) => each.startsWith(own))) await run('rmi', '-f', tag).catch(() => undefined);
    }, 60_000);

    it('pulls the tag again and says whether it moved; a pull that fails replaces nothing', async () => {
      await registry.push(reference, 'team/app:1');
      want(1, { image: pulled(own) });
      const first = await until(1, 'running');
      want(2, { image: pulled(fresh(2)) });
      const second = await until(2, 'running');
      expect(second.imageId).toBe(first.imageId);
      expect(imageStep(2)).toMatch(/^The registry has no newer .*team\/app:1: the image is the same/);

      await buildBusybox(imageHost, `${reference}-newer`, ['STOPSIGNAL SIGKILL', 'LABEL is=newer']);
      await registry.push(`${reference}-newer`, 'team/app:1');
      want(3, { image: pulled(own) });
      expect((await until(3, 'running')).imageId).toBe(first.imageId);
      want(4, { image: pulled(fresh(4)), order: 'stop-first' });
      const newer = await until(4, 'running');
      expect(newer.imageId).not.toBe(first.imageId);
      expect(imageStep(4)).toMatch(/^Took a newer .*team\/app:1: [0-9a-f]{12} instead of [0-9a-f]{12}$/);
      expect((await docker.getImage(fresh(4)).inspect()).Id).toBe(newer.imageId);
      await expect(docker.getImage(fresh(2)).inspect()).rejects.toThrow('No such image');

      const wrong = { ...pulled(fresh(5)), account: { ...account(), password: 'not it' } };
      want(5, { image: wrong, order: 'stop-first' });
      const failed = await until(5, 'error');
      expect(failed.message).toMatch(/could not be pulled anew: .*The container before goes on\.$/s);
      expect(failed.retries).toBe(0);
      await expect.poll(states).toEqual([[newer.containerId, 'running']]);
      expect(keysOf(5)).not.toContain('stop');
    }, 120_000);

    it('goes back to what the tag stood for, by its digest, where the host has let go of it', async () => {
      const [old, now] = [`${reference}-old`, `${reference}-now`];
      await buildBusybox(imageHost, old, ['STOPSIGNAL SIGKILL', `LABEL is=old-${hostId}`]);
      const { Id } = await docker.getImage(old).inspect();
      await registry.push(old, 'team/moved:1');
      const digest = await digestOf('team/moved', '1');
      await run('rmi', '-f', Id);
      await buildBusybox(imageHost, now, ['STOPSIGNAL SIGKILL', `LABEL is=now-${hostId}`]);
      await registry.push(now, 'team/moved:1');
      expect(await digestOf('team/moved', '1')).not.toBe(digest);
      const moved = { ...pulled(`${own}7`), reference: `${registry.address}/team/moved:1`, id: Id };
      want(1, { image: moved });
      expect((await until(1, 'error')).message).toContain('is not the image that was asked for');
      want(2, { image: { ...moved, reference: `${registry.address}/team/moved@${digest}` } });
      expect((await until(2, 'running')).imageId).toBe(Id);
    }, 60_000);
  });
});

function freePort(): number {
  return 20_000 + Math.floor(Math.random() * 10_000);
}

function get(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = http.get(
      { host: '127.0.0.1', port, path: '/index.html', agent: false, timeout: 5000 },
      (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += chunk));
        response.on('end', () => (response.statusCode === 200 ? resolve(text) : reject(new Error(text))));
      },
    );
    request.on('error', reject);
    request.on('timeout', () => request.destroy(new Error('no answer in time')));
  });
}

/** Asks again and again, one request at a time, until it is stopped. */
function keepAsking(port: number): { stop(): Promise<{ answers: number; failures: string[] }> } {
  let isOver = false;
  const told = { answers: 0, failures: [] as string[] };
  async function ask(): Promise<void> {
    while (!isOver) {
      await get(port).then(
        () => (told.answers += 1),
        (error: unknown) => told.failures.push(String(error)),
      );
      await wait(20);
    }
  }
  const done = ask();
  return {
    async stop() {
      isOver = true;
      await done;
      return told;
    },
  };
}
