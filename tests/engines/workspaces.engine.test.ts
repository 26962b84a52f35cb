import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DockerEngine } from '@/agent/engines/docker/docker-engine';
import { createFixture, type Fixture } from '../agent/agent-fixture';
import { makeWorkspaceSpec } from '../agent/specs';
import { buildBusybox, docker, dockerAbsence, listOurs, removeAll } from './docker-fixture';

const imageHost = `i${randomUUID().slice(0, 8)}`;
const reference = `berth-test/${imageHost}:1`;

describe.skipIf(dockerAbsence !== '')('a workspace on Docker', () => {
  let hostId: string;
  let fixture: Fixture;

  beforeAll(() => buildBusybox(imageHost, reference, []), 60_000);
  afterAll(() => removeAll(imageHost), 60_000);
  beforeEach(async () => {
    hostId = `h${randomUUID().slice(0, 8)}`;
    fixture = await createFixture(new DockerEngine({ dockerHost: '' }), hostId);
  });
  afterEach(async () => {
    await fixture.close();
    await removeAll(hostId);
  }, 60_000);

  function want(script: string, overrides: Parameters<typeof makeWorkspaceSpec>[0] = {}): void {
    const image = { reference, id: '', pull: false };
    const command = ['/bin/sh', '-c', script];
    fixture.console.want('w1', {
      kind: 'workspace',
      spec: makeWorkspaceSpec({ name: hostId, image, command, ...overrides }),
    });
  }

  it('that ends again and again is an error with its last words, until it stays up', async () => {
    const script = [
      'tries=$(/bin/busybox cat /tries); echo x$tries > /tries',
      'case $tries in xxxx*) exec /bin/busybox sleep 1000;; esac',
      'echo no config in /etc >&2; exit 3',
    ].join('; ');
    want(script, { autoStart: true });
    const failed = await fixture.console.untilStatus('w1', 'error', 20_000);
    expect(failed.message).toMatch(
      /^Exited with code 3, and was started again \d times\. It said last: .*no config in/,
    );
    expect(failed).toMatchObject({ exitCode: 3, lastLines: expect.arrayContaining(['no config in /etc']) });
    expect(failed.restarts).toBeGreaterThanOrEqual(3);
    const recovered = await fixture.console.untilStatus('w1', 'running', 40_000);
    expect(recovered).toMatchObject({ message: '', containerId: failed.containerId });
  }, 90_000);

  it('that ends again and again is started anew when somebody asks', async () => {
    want('exit 3', { autoStart: true });
    const { containerId } = await fixture.console.untilStatus('w1', 'error', 20_000);
    const startedAt = async () => (await docker.getContainer(containerId).inspect()).RestartCount;
    const before = await startedAt();
    want('exit 3', { autoStart: true, attempt: 1 });
    await fixture.console.until(() =>
      fixture.console.steps.some(({ key, status, attempt }) => key === 'start' && status === 'done' && attempt === 1),
    );
    expect(await startedAt()).toBeLessThan(before);
    await fixture.console.until(() => {
      const status = fixture.console.status('w1');
      return status?.attempt === 1 && status.status === 'error';
    }, 20_000);
  }, 60_000);

  it('that ends once and is not to be restarted is an error with its exit code and last lines', async () => {
    want('echo no config in /etc >&2; exit 3');
    expect(await fixture.console.untilStatus('w1', 'error', 20_000)).toMatchObject({
      message: 'Exited with code 3',
      exitCode: 3,
      restarts: 0,
      lastLines: ['no config in /etc'],
    });
  }, 30_000);

  it('gets a new container with a redeploy although nothing was changed, and no health check that it has not', async () => {
    const script = 'exec /bin/busybox sleep 1000';
    want(script);
    const before = await fixture.console.untilStatus('w1', 'running');
    want(script, { generation: 2, remake: 2 });
    const after = await fixture.console.until(() => {
      const status = fixture.console.status('w1');
      return status?.generation === 2 && status.status === 'running' ? status : undefined;
    }, 30_000);
    expect(after.containerId).not.toBe(before.containerId);
    expect(after).toMatchObject({ madeGeneration: 2 });
    await expect.poll(async () => (await listOurs(hostId)).map(({ Id }) => Id)).toEqual([after.containerId]);
    const keys = fixture.console.steps.filter(({ generation }) => generation === 2).map(({ key }) => key);
    expect([keys.includes('up'), keys.includes('health')]).toEqual([true, false]);
    want(script, { generation: 3, remake: 2 });
    await fixture.console.until(() => fixture.console.status('w1')?.generation === 3);
    expect(fixture.console.status('w1')).toMatchObject({ status: 'running', containerId: after.containerId });
  }, 60_000);

  it('keeps its container beside a twin with the same labels, which is told of and left alone', async () => {
    want('exec /bin/busybox sleep 1000');
    const { containerId } = await fixture.console.untilStatus('w1', 'running');
    await docker.getContainer(containerId).rename({ name: `${hostId}-renamed` });
    const { Config } = await docker.getContainer(containerId).inspect();
    const labels = Config.Labels;
    const twin = await docker.createContainer({
      name: `${hostId}-twin`,
      Image: reference,
      Cmd: Config.Cmd,
      Labels: labels,
    });
    await twin.start();
    const told = await fixture.console.until(() => {
      const status = fixture.console.status('w1');
      return status?.message.includes(`${hostId}-twin`) ? status : undefined;
    });
    expect(told).toMatchObject({ status: 'running', containerId });
    fixture.console.want('w1', null);
    await fixture.console.untilStatus('w1', 'absent', 30_000);
    expect((await listOurs(hostId)).map(({ Id, State }) => [Id, State])).toEqual([[twin.id, 'running']]);
  }, 60_000);

  it('that is slow to stop in a redeploy keeps no agent from stopping, and is redeployed by the next', async () => {
    const ports = [{ containerPort: 80, protocol: 'tcp' as const, hostPort: freePort(), hostIp: '127.0.0.1' }];
    const deaf = 'trap "" TERM; while true; do /bin/busybox sleep 1; done';
    want(deaf, { ports });
    await fixture.console.untilStatus('w1', 'running');
    want(deaf, { ports, generation: 2, environment: [{ name: 'A', value: '1' }] });
    await fixture.console.until(() => fixture.console.steps.some(({ key }) => key === 'stop'));
    const sinceMs = Date.now();
    await fixture.agent.stop();
    expect(Date.now() - sinceMs).toBeLessThan(5000);
    await fixture.restartAgent(new DockerEngine({ dockerHost: '' }));
    const isThere = () => fixture.console.status('w1');
    await fixture.console.until(() => isThere()?.status === 'running' && isThere()?.generation === 2, 40_000);
    await expect.poll(async () => (await listOurs(hostId)).length, { timeout: 20_000 }).toBe(1);
  }, 90_000);
});

function freePort(): number {
  return 20_000 + Math.floor(Math.random() * 10_000);
}
