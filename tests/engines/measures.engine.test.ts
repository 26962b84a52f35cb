import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '@/agent/clock';
import { DockerEngine } from '@/agent/engines/docker/docker-engine';
import { Sampler } from '@/agent/measures/sampler';
import type { Listener, OpenMeasures } from '@/lib/protocol/measure-streams';
import { createFixture, type Fixture } from '../agent/agent-fixture';
import { makeWorkspaceSpec } from '../agent/specs';
import { buildBusybox, docker, dockerAbsence, listOurs, removeAll } from './docker-fixture';

const imageHost = `i${randomUUID().slice(0, 8)}`;
const WHOLE = `berth-test/${imageHost}:whole`;
const MEBIBYTE = 1024 * 1024;
/** Listens on 8080 for all, on 9090 for itself, and keeps a processor busy. */
const BUSY = ['/bin/busybox httpd -p 8080; ', '/bin/busybox httpd -p 127.0.0.1:9090; ', 'while :; do :; done'].join('');

describe.skipIf(dockerAbsence !== '')('measures on Docker', () => {
  let hostId: string;
  let fixture: Fixture;
  let engine: DockerEngine;

  beforeAll(() => buildBusybox(imageHost, WHOLE, ['STOPSIGNAL SIGKILL']), 60_000);
  afterAll(() => removeAll(imageHost), 60_000);
  beforeEach(async () => {
    hostId = `h${randomUUID().slice(0, 8)}`;
    engine = new DockerEngine({ dockerHost: '' });
    fixture = await createFixture(engine, hostId);
  });
  afterEach(async () => {
    await fixture.close();
    await removeAll(hostId);
  }, 60_000);

  async function runs(script: string): Promise<string> {
    const image = { reference: WHOLE, id: '', pull: false };
    const limits = { memoryLimitBytes: 64 * MEBIBYTE, cpuLimit: 0.5 };
    const command = ['/bin/sh', '-c', script];
    const spec = makeWorkspaceSpec({ name: hostId, image, command, ...limits });
    fixture.console.want('w1', { kind: 'workspace', spec });
    const running = async () => (await listOurs(hostId)).find(({ State }) => State === 'running')?.Id;
    await vi.waitFor(async () => expect(await running()).toBeDefined(), { timeout: 20_000, interval: 50 });
    return (await running())!;
  }

  async function ask(kind: OpenMeasures['kind']): Promise<Record<string, unknown>> {
    const link = await fixture.console.until(() => fixture.console.link);
    const open =
      kind === 'metrics' ? { kind, workspaceId: 'w1', span: 'recent' as const } : { kind, workspaceId: 'w1' };
    const stream = link.mux.open(open);
    const text = await new Promise<string>((resolve, reject) => {
      let all = '';
      stream.listen({
        onData: (chunk) => (all += chunk.toString()),
        onEnd: () => resolve(all),
        onError: (message) => reject(new Error(message)),
      });
    });
    return JSON.parse(text) as Record<string, unknown>;
  }

  const listeners = async () => (await ask('listeners')).listeners as Listener[];

  it('finds what is listened on, with and without a look at the host', async () => {
    const containerId = await runs(BUSY);
    const found = [
      { port: 8080, isLocal: false },
      { port: 9090, isLocal: true },
    ];
    const container = Object.getPrototypeOf(docker.getContainer(containerId)) as Record<
      'inspect' | 'exec',
      () => unknown
    >;
    const exec = vi.spyOn(container, 'exec');
    await vi.waitFor(async () => expect(await listeners()).toEqual(found), { timeout: 10_000, interval: 100 });
    expect(exec).not.toHaveBeenCalled();
    // As for an agent that does not see the host's processes.
    const inspect = vi.spyOn(container, 'inspect');
    inspect.mockResolvedValue({ State: { Running: true, Paused: false, Pid: 1 } });
    try {
      expect(await engine.inside.listListeners(containerId)).toEqual(found);
      expect(exec).toHaveBeenCalledOnce();
    } finally {
      inspect.mockRestore();
      exec.mockRestore();
    }
  }, 60_000);

  it('measures what is used, and keeps it in step', async () => {
    const containerId = await runs(BUSY);
    const sampler = new Sampler({ engine, hostId, clock: systemClock, gpusOf: () => null, stepSeconds: 1 });
    sampler.start();
    await vi.waitFor(() => expect(sampler.read('w1', 'recent').at.length).toBeGreaterThan(2), 15_000);
    await sampler.stop();
    const { cpu, memory, memoryLimit, gpu, stepSeconds } = sampler.read('w1', 'recent');
    expect({ gpu, stepSeconds, memoryLimit }).toEqual({ gpu: [], stepSeconds: 1, memoryLimit: 64 * MEBIBYTE });
    // Half a core is what it may have; on a busy machine it gets less, and one value may be of more or less than its second.
    const median = [...cpu].sort((a, b) => a - b)[Math.floor(cpu.length / 2)];
    expect(median).toBeGreaterThan(0.05);
    expect(median).toBeLessThan(0.75);
    for (const value of memory) expect(value).toBeLessThan(64 * MEBIBYTE);
    expect(Math.min(...memory)).toBeGreaterThan(0);
    expect(sampler.read('w1', 'day').at.length).toBeGreaterThan(0);
    expect(sampler.read('nobody', 'recent').at).toEqual([]);
    // Its agent would start it again, and stops with its engine.
    await fixture.agent.stop();
    await docker.getContainer(containerId).kill();
    const another = new DockerEngine({ dockerHost: '' });
    expect(await another.inside.measure(containerId)).toBeNull();
    await another.close();
  }, 60_000);

  it('answers the console, from the agent that runs', async () => {
    await runs(BUSY);
    expect(await ask('metrics')).toMatchObject({ stepSeconds: 10, at: expect.any(Array) as number[] });
    expect(await ask('listeners')).toHaveProperty('listeners');
  }, 60_000);
});
