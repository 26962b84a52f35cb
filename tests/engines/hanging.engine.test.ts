import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DockerEngine } from '@/agent/engines/docker/docker-engine';
import { createFixture, type Fixture } from '../agent/agent-fixture';
import { makeWorkspaceSpec } from '../agent/specs';
import { type EngineProxy, startEngineProxy } from '../setup/engine-proxy';
import { buildBusybox, docker, dockerAbsence, listOurs, makeBusyboxBuild, removeAll } from './docker-fixture';

const imageHost = `i${randomUUID().slice(0, 8)}`;
const reference = `berth-test/${imageHost}:1`;
const hasDocker = dockerAbsence === '';
const SLOW_DEPLOYS = Number(process.env.BERTH_TEST_SLOW_DEPLOYS ?? 4);
const SLOW_MS = Number(process.env.BERTH_TEST_SLOW_MS ?? 1000);
const patience = { facts: 2000, read: 6000, change: 6000, job: 3000, remark: 500, remarkJob: 1000 };

describe.skipIf(!hasDocker)('an engine that gives no answer', () => {
  let hostId: string;
  let proxy: EngineProxy;
  let fixture: Fixture;

  beforeAll(() => buildBusybox(imageHost, reference, ['STOPSIGNAL SIGKILL']), 60_000);
  afterAll(() => removeAll(imageHost), 60_000);
  beforeEach(async () => {
    hostId = `h${randomUUID().slice(0, 8)}`;
    proxy = await startEngineProxy();
    fixture = await createFixture(new DockerEngine({ dockerHost: proxy.address }, patience), hostId);
    fixture.console.heartbeatSeconds = 1;
  });
  afterEach(async () => {
    proxy.release();
    await fixture.close();
    await proxy.dispose();
    await removeAll(hostId);
  }, 60_000);

  function want(id: string, overrides: Parameters<typeof makeWorkspaceSpec>[0] = {}): void {
    const image = { reference, id: '', pull: false };
    const spec = makeWorkspaceSpec({ name: hostId, image, command: ['/bin/busybox', 'sleep', '1000'], ...overrides });
    fixture.console.want(id, { kind: 'workspace', spec });
  }

  function untilSaid(words: RegExp): Promise<unknown> {
    return fixture.console.until(
      () => words.test(fixture.console.heartbeats.at(-1)?.engine.message ?? 'never'),
      20_000,
    );
  }

  it('about one container holds up no other workspace, and the host says which', async () => {
    want('w1');
    const { containerId } = await fixture.console.untilStatus('w1', 'running');
    proxy.hang(new RegExp(`GET /containers/${containerId}/json`));
    await docker.getContainer(containerId).restart({ t: 0 });
    want('w2');
    await fixture.console.untilStatus('w2', 'running', 20_000);
    await untilSaid(new RegExp(`gives no answer to GET /containers/${containerId.slice(0, 12)}/json`));
    expect(fixture.console.heartbeats.at(-1)?.engine.reachable).toBe(true);
    proxy.release();
    await untilSaid(/^$/);
    want('w1', { generation: 2, state: 'stopped' });
    await fixture.console.untilStatus('w1', 'stopped', 20_000);
  }, 60_000);

  it('to starting one workspace fails in time and is tried again', async () => {
    proxy.hang(/POST \/containers\/[0-9a-f]+\/start/);
    want('w1');
    await fixture.console.until(() => fixture.console.status('w1')?.message.includes('gave no answer to POST'), 20_000);
    proxy.release();
    await fixture.console.untilStatus('w1', 'running', 20_000);
  }, 60_000);

  it('to anything leaves the host online, and the agent stops at once', async () => {
    want('w1');
    await fixture.console.untilStatus('w1', 'running');
    proxy.hang(/./);
    want('w1', { generation: 2, environment: [{ name: 'A', value: '1' }] });
    const beats = fixture.console.heartbeats.length;
    await untilSaid(/no answer/);
    await fixture.console.until(() => fixture.console.heartbeats.length > beats + 2, 20_000);
    await fixture.console.until(() => fixture.console.heartbeats.at(-1)?.engine.reachable === false, 20_000);
    const sinceMs = Date.now();
    await fixture.agent.stop();
    expect(Date.now() - sinceMs).toBeLessThan(4000);
  }, 60_000);

  it('to a build ends that build with a word, and nothing else', async () => {
    const ended = await (proxy.hang(/POST \/build\?/), build('j1'));
    expect(ended.message).toMatch(/gave no answer to POST \/build within 3 s/);
    proxy.mute(/POST \/build\?/);
    expect((await build('j2')).message).toMatch(/builder of the Docker engine said nothing within 3 s/);
    proxy.release();
    want('w1');
    await fixture.console.untilStatus('w1', 'running');
  }, 60_000);

  it('to a build that is cancelled lets it go at once', async () => {
    await fixture.restartAgent(new DockerEngine({ dockerHost: proxy.address }));
    proxy.hang(/POST \/build/);
    const spec = makeBusyboxBuild(`berth-test/${hostId}:1`, []);
    fixture.console.want('j1', { kind: 'job', spec });
    await fixture.console.until(() => proxy.kept.length > 0);
    fixture.console.want('j1', { kind: 'job', spec: { ...spec, cancel: true } });
    await fixture.console.untilJob('j1', 'cancelled', 15_000);
  }, 60_000);

  it('but after a while still runs everything, and the host stays online', async () => {
    await fixture.restartAgent(new DockerEngine({ dockerHost: proxy.address }));
    fixture.console.heartbeats.length = 0;
    proxy.slowDown(SLOW_MS);
    const ids = Array.from({ length: SLOW_DEPLOYS }, (_, index) => `w${index}`);
    const sinceMs = Date.now();
    for (const id of ids) want(id);
    for (const id of ids) await fixture.console.untilStatus(id, 'running', 300_000);
    const seconds = Math.round((Date.now() - sinceMs) / 1000);
    const beats = fixture.console.heartbeats;
    process.stdout.write(`${SLOW_DEPLOYS} deploys at ${SLOW_MS} ms a call: ${seconds} s, ${beats.length} heartbeats\n`);
    expect(beats.filter(({ engine }) => !engine.reachable)).toEqual([]);
    expect(beats.length).toBeGreaterThan(seconds / 6);
    expect(await listOurs(hostId)).toHaveLength(SLOW_DEPLOYS);
  }, 330_000);

  async function build(id: string) {
    const spec = makeBusyboxBuild(`berth-test/${hostId}:1`, []);
    fixture.console.want(id, { kind: 'job', spec });
    return fixture.console.untilJob(id, 'error', 20_000);
  }
});
