import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DockerEngine } from '@/agent/engines/docker/docker-engine';
import type { LogLine } from '@/lib/protocol/streams';
import { makeWorkspaceSpec } from '../agent/specs';
import { buildBusybox, docker, dockerAbsence, listOurs, makeBusyboxBuild, removeAll } from './docker-fixture';

const hostId = `t${randomUUID().slice(0, 8)}`;
const reference = `berth-test/${hostId}:1`;
const engine = new DockerEngine({ dockerHost: '' });
const never = new AbortController().signal;

async function runContainer(script: string, overrides: Parameters<typeof makeWorkspaceSpec>[0] = {}): Promise<string> {
  const spec = makeWorkspaceSpec({ command: ['/bin/sh', '-c', script], ...overrides });
  const name = `berth-test-${randomUUID()}`;
  const request = { name, hostId, workspaceId: 'w1', specHash: 'h', image: reference, spec, mounts: [], runtime: '' };
  const containerId = await engine.createContainer(request);
  await engine.startContainer(containerId);
  return containerId;
}

async function readAll(containerId: string, options: { tail?: number; since?: string; follow?: boolean } = {}) {
  const lines: LogLine[] = [];
  const wanted = { tail: null, since: '', follow: false, ...options };
  for await (const line of engine.logs(containerId, wanted, never)) lines.push(line);
  return lines;
}

describe.skipIf(dockerAbsence !== '')('the Docker engine', () => {
  beforeAll(async () => {
    await buildBusybox(hostId, reference, ['CMD ["/bin/sh", "-c", "exec /bin/busybox sleep 1000"]']);
  }, 60_000);
  afterAll(() => removeAll(hostId), 60_000);

  it('tells what it is', async () => {
    const info = await engine.info();
    expect(info).toMatchObject({ platform: expect.stringMatching(/^linux\//), canBuild: true, hasBuildKit: true });
    expect(info.runtimes).toContain('runc');
  });

  it('passes settings on to the container and labels it', async () => {
    const containerId = await runContainer('exec /bin/busybox sleep 1000', {
      environment: [{ name: 'GREETING', value: 'a b=c' }],
      cpuLimit: 0.5,
      memoryLimitBytes: 64 * 1024 ** 2,
      shmSizeBytes: 32 * 1024 ** 2,
      ports: [{ containerPort: 80, protocol: 'tcp', hostPort: 0, hostIp: '127.0.0.1' }],
    });
    const info = await docker.getContainer(containerId).inspect();
    expect(info.HostConfig).toMatchObject({
      NanoCpus: 5e8,
      Memory: 67_108_864,
      ShmSize: 33_554_432,
      Privileged: false,
      LogConfig: { Type: 'json-file', Config: { 'max-size': '50m', 'max-file': '4' } },
    });
    expect(info.Config.Env).toContain('GREETING=a b=c');
    expect(info.Config.Labels).toMatchObject({ 'berth.host': hostId, 'berth.kind': 'workspace', 'berth.id': 'w1' });
    const seen = (await engine.observe(hostId)).find((container) => container.containerId === containerId);
    expect(seen?.ports[0]).toMatchObject({ containerPort: 80, hostIp: '127.0.0.1' });
    expect(seen?.ports[0]?.hostPort).toBeGreaterThan(0);
    await engine.updateContainer(containerId, { cpuLimit: 1, memoryLimitBytes: 128 * 1024 ** 2, autoStart: true });
    expect((await engine.inspectContainer(containerId))?.limits).toEqual({
      cpuLimit: 1,
      memoryLimitBytes: 134_217_728,
      autoStart: true,
    });
    await engine.removeContainer(containerId);
    expect(await engine.inspectContainer(containerId)).toBeNull();
  }, 30_000);

  it("keeps the engine's words about a taken port and says what to do", async () => {
    const first = await runContainer('exec /bin/busybox sleep 1000', {
      ports: [{ containerPort: 80, protocol: 'tcp', hostPort: 0, hostIp: '127.0.0.1' }],
    });
    const hostPort = (await engine.inspectContainer(first))?.ports[0]?.hostPort ?? 0;
    const ports = [{ containerPort: 80, protocol: 'tcp' as const, hostPort, hostIp: '127.0.0.1' }];
    await expect(runContainer('true', { ports })).rejects.toThrow(
      /port is already allocated\. Choose another host port/,
    );
    await expect(runContainer('true', { ports })).rejects.toMatchObject({ kind: 'conflict', isTransient: false });
    await removeAllContainers();
  }, 30_000);

  it('reads logs with nanoseconds, both sources, long lines and no duplicate on resume', async () => {
    const script = [
      'echo one; echo two >&2',
      '/bin/busybox head -c 40000 /dev/zero | /bin/busybox tr "\\0" x; echo',
      'printf unfinished',
    ].join('; ');
    const containerId = await runContainer(script);
    await docker.getContainer(containerId).wait();
    const lines = await readAll(containerId);
    const bySource = (source: string) => lines.filter((line) => line.s === source).map((line) => line.m);
    expect(bySource('err')).toEqual(['two']);
    expect(bySource('out').map((text) => text.length)).toEqual([3, 40_000, 10]);
    expect(lines.every((line) => /\.\d{9}Z$/.test(line.t))).toBe(true);
    const sorted = lines.toSorted((a, b) => (a.t < b.t ? -1 : 1));
    const rest = await readAll(containerId, { since: sorted[0]?.t ?? '' });
    expect(rest).toHaveLength(lines.length - 1);
    expect(await readAll(containerId, { tail: 1 })).toHaveLength(1);
  }, 30_000);

  it('follows a log until the container is removed', async () => {
    const containerId = await runContainer('echo up; exec /bin/busybox sleep 1000');
    const seen: string[] = [];
    for await (const line of engine.logs(containerId, { tail: null, since: '', follow: true }, never)) {
      seen.push(line.m);
      await docker.getContainer(containerId).remove({ force: true });
    }
    expect(seen).toEqual(['up']);
  }, 30_000);

  it('tells an end by itself from one by hand', async () => {
    const stop = new AbortController();
    const events: string[] = [];
    let ready: () => void = () => undefined;
    const isReady = new Promise<void>((resolve) => (ready = resolve));
    const handlers = { onReady: () => ready(), onEvent: (event: { type: string }) => events.push(event.type) };
    const watching = engine.watch(hostId, handlers, stop.signal);
    await isReady;
    const first = await runContainer('exit 3');
    await docker.getContainer(first).wait();
    await expect.poll(() => events).toEqual(['create', 'start', 'die']);
    events.length = 0;
    const second = await runContainer('exec /bin/busybox sleep 1000');
    await docker.getContainer(second).kill();
    await expect.poll(() => events).toEqual(['create', 'start', 'kill', 'die']);
    stop.abort();
    await watching;
    await removeAllContainers();
  }, 30_000);

  it('builds with BuildKit, prints its steps and marks what was cached', async () => {
    const spec = makeBusyboxBuild(
      `berth-test/${hostId}:built`,
      [`RUN ["/bin/busybox", "echo", "hello from ${hostId}"]`],
      {
        imageId: 'i1',
        labels: { extra: 'x' },
      },
    );
    const build = async () => {
      let log = '';
      const image = await engine.build({ hostId, spec, auths: [] }, { log: (text) => (log += text), signal: never });
      return { image, log };
    };
    const first = await build();
    expect(first.log).toMatch(/#\d+ \[3\/3\] RUN .*\n/);
    expect(first.log).toContain(`hello from ${hostId}\n`);
    expect(first.log).toMatch(/#\d+ DONE \d+\.\ds/);
    const second = await build();
    expect(second.log).toMatch(/#\d+ CACHED/);
    expect(second.image.imageId).toBe(first.image.imageId);
    expect(first.image.sizeBytes).toBeGreaterThan(1e6);
    const info = await docker.getImage(first.image.imageId).inspect();
    expect(info.Config.Labels).toMatchObject({
      'berth.host': hostId,
      'berth.kind': 'image',
      'berth.id': 'i1',
      extra: 'x',
    });
  }, 60_000);

  it("fails a build with the step's own words", async () => {
    const spec = makeBusyboxBuild(`berth-test/${hostId}:bad`, ['RUN ["/bin/busybox", "ls", "/missing"]']);
    let log = '';
    const building = engine.build({ hostId, spec, auths: [] }, { log: (text) => (log += text), signal: never });
    await expect(building).rejects.toThrow(/exit code: 1/);
    expect(log).toContain('/missing: No such file or directory');
  }, 60_000);

  it('really stops a cancelled build', async () => {
    const marker = randomUUID();
    // The classic builder's; other tests make containers meanwhile.
    const left = async () =>
      (await docker.listContainers({ all: true })).filter((each) => each.Command.includes(marker));
    const spec = makeBusyboxBuild(`berth-test/${hostId}:slow`, [`RUN echo ${marker}; /bin/busybox sleep 300`]);
    const cancel = new AbortController();
    let started: () => void = () => undefined;
    const isStarted = new Promise<void>((resolve) => (started = resolve));
    const log = (text: string): void => {
      if (text.includes(`${marker}\n`)) started();
    };
    const building = engine.build({ hostId, spec, auths: [] }, { log, signal: cancel.signal });
    building.catch(() => undefined);
    await isStarted;
    const processes = () => findProcesses('sleep\u0000300');
    await expect.poll(processes, { timeout: 5000 }).toBeGreaterThan(0);
    cancel.abort();
    await expect(building).rejects.toMatchObject({ kind: 'cancelled' });
    await expect.poll(processes, { timeout: 5000 }).toBe(0);
    expect(await left()).toEqual([]);
  }, 60_000);

  it('says that it is away when nothing listens', async () => {
    const away = new DockerEngine({ dockerHost: 'unix:///tmp/nothing-listens-here.sock' });
    await expect(away.info()).rejects.toMatchObject({ kind: 'unreachable', isTransient: true });
    await expect(away.watch('h', { onReady: () => undefined, onEvent: () => undefined }, never)).rejects.toThrow(
      "can't be reached",
    );
  });

  async function removeAllContainers(): Promise<void> {
    for (const { Id } of await listOurs(hostId)) await docker.getContainer(Id).remove({ force: true });
  }
});

async function findProcesses(needle: string): Promise<number> {
  const { readdir, readFile } = await import('node:fs/promises');
  let count = 0;
  for (const pid of await readdir('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (command.includes(needle)) count += 1;
  }
  return count;
}
