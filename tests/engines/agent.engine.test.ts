import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DockerEngine } from '@/agent/engines/docker/docker-engine';
import { createFixture, type Fixture } from '../agent/agent-fixture';
import { FakeConsole } from '../agent/fake-console';
import { makeWorkspaceSpec } from '../agent/specs';
import { buildBusybox, docker, dockerAbsence, listOurs, removeAll } from './docker-fixture';

const imageHost = `i${randomUUID().slice(0, 8)}`;
const reference = `berth-test/${imageHost}:1`;
const hasDocker = dockerAbsence === '';
const sleeper = ['/bin/sh', '-c', "trap 'exit 0' TERM; /bin/busybox sleep 1000 & wait"];

let hostId: string;
let fixture: Fixture;

function want(overrides: Parameters<typeof makeWorkspaceSpec>[0] = {}, target: FakeConsole = fixture.console): void {
  const image = { reference, id: '', pull: false };
  target.want('w1', { kind: 'workspace', spec: makeWorkspaceSpec({ image, command: sleeper, ...overrides }) });
}

beforeAll(async () => {
  if (hasDocker) await buildBusybox(imageHost, reference, []);
}, 60_000);
afterAll(() => removeAll(imageHost), 60_000);
beforeEach(() => {
  hostId = `h${randomUUID().slice(0, 8)}`;
});

describe.skipIf(!hasDocker)('the agent on Docker', () => {
  beforeEach(async () => {
    fixture = await createFixture(new DockerEngine({ dockerHost: '' }), hostId);
  });
  afterEach(async () => {
    await fixture.close();
    await removeAll(hostId);
  }, 60_000);

  it('has a container running within 150 ms above docker start', async () => {
    want();
    const first = await fixture.console.untilStatus('w1', 'running');
    const container = docker.getContainer(first.containerId);
    // The same image and command without labels, started straight through the API, round by round beside ours.
    const plain = await docker.createContainer({ Image: reference, Cmd: sleeper });
    const ours: number[] = [];
    const direct: number[] = [];
    const measure = async (target: typeof container, start: () => Promise<unknown>): Promise<number> => {
      const clickedAt = Date.now();
      await start();
      return Date.parse((await target.inspect()).State.StartedAt) - clickedAt;
    };
    try {
      for (let round = 0; round < 7; round += 1) {
        want({ generation: 2 + round * 2, state: 'stopped' });
        await fixture.console.untilStatus('w1', 'stopped');
        direct.push(await measure(plain, () => plain.start()));
        await plain.kill();
        const start = (): Promise<unknown> => {
          want({ generation: 3 + round * 2 });
          return fixture.console.untilStatus('w1', 'running');
        };
        ours.push(await measure(container, start));
      }
    } finally {
      await plain.remove({ force: true });
    }
    const above = median(ours) - median(direct);
    process.stdout.write(`start: agent ${ours.join(' ')} ms, docker start ${direct.join(' ')} ms, ${above} ms above\n`);
    expect(above).toBeLessThanOrEqual(150);
  }, 60_000);

  it('brings back what was stopped or removed by hand, once', async () => {
    want();
    const first = await fixture.console.untilStatus('w1', 'running');
    await docker.getContainer(first.containerId).stop({ t: 5 });
    await expect
      .poll(async () => (await docker.getContainer(first.containerId).inspect()).State.Running, { timeout: 10_000 })
      .toBe(true);
    await docker.getContainer(first.containerId).remove({ force: true });
    await expect
      .poll(async () => (await listOurs(hostId)).map((entry) => entry.State), { timeout: 10_000 })
      .toEqual(['running']);
    const second = await fixture.console.until(() => {
      const status = fixture.console.status('w1');
      return status?.status === 'running' && status.containerId !== first.containerId ? status : undefined;
    });
    expect((await listOurs(hostId))[0]?.Id).toBe(second.containerId);
  }, 60_000);

  it('says how a container ended by itself and leaves it down', async () => {
    want({ command: ['/bin/sh', '-c', '/bin/busybox sleep 0.5; exit 7'] });
    const ended = await fixture.console.untilStatus('w1', 'error');
    expect(ended).toMatchObject({ message: 'Exited with code 7', exitCode: 7 });
    await fixture.restartAgent(new DockerEngine({ dockerHost: '' }));
    await fixture.console.until(() => fixture.console.statuses.at(-1) !== ended);
    expect((await listOurs(hostId)).map((entry) => entry.State)).toEqual(['exited']);
  }, 60_000);

  it('puts the old container back when the new one fails on the same host port', async () => {
    const hostPort = 20_000 + Math.floor(Math.random() * 10_000);
    const ports = [{ containerPort: 80, protocol: 'tcp' as const, hostPort, hostIp: '127.0.0.1' }];
    want({ ports });
    const first = await fixture.console.untilStatus('w1', 'running');
    want({ ports, generation: 2, command: ['/no/such/program'] });
    const failed = await fixture.console.untilStatus('w1', 'error');
    expect(failed.message).toMatch(
      /no such file or directory.*Check the command.*previous container was started again/s,
    );
    expect((await listOurs(hostId)).map((entry) => [entry.Id, entry.State])).toEqual([[first.containerId, 'running']]);
  }, 60_000);

  it('replaces a container that runs by one that stays up, and the old one stays when it does not', async () => {
    want();
    const first = await fixture.console.untilStatus('w1', 'running');
    want({ generation: 2, command: ['/bin/sh', '-c', 'exit 4'] });
    const failed = await fixture.console.untilStatus('w1', 'error');
    expect(failed.message).toContain('Exited with code 4');
    expect((await listOurs(hostId)).map((entry) => [entry.Id, entry.State])).toEqual([[first.containerId, 'running']]);
  }, 60_000);
});

describe.skipIf(!hasDocker)('an agent that is killed', () => {
  it('goes on after kill -9 in the middle of a deployment, with one container', async () => {
    const fake = new FakeConsole(hostId);
    const url = await fake.listen();
    const stateDir = await mkdtemp(path.join(tmpdir(), 'berth-agent-'));
    let child: ChildProcess | undefined;
    const launch = (): ChildProcess =>
      spawn(process.execPath, ['--import', 'tsx', 'agent/main.ts'], {
        env: {
          ...process.env,
          BERTH_CONSOLE_URL: url,
          BERTH_JOIN_TOKEN: 'token',
          BERTH_AGENT_STATE_DIR: stateDir,
          LOG_LEVEL: 'error',
        },
        stdio: 'inherit',
      });
    try {
      for (let round = 1; round <= 3; round += 1) {
        child = launch();
        await fake.until(() => fake.link, 20_000);
        const killed = new Promise((resolve) => child?.once('exit', resolve));
        want({ generation: round, environment: [{ name: 'ROUND', value: String(round) }] }, fake);
        await fake.until(() => fake.steps.some((step) => step.generation === round));
        child.kill('SIGKILL');
        await killed;
        fake.link = undefined;
      }
      child = launch();
      await fake.until(() => fake.status('w1')?.status === 'running' && fake.status('w1')?.generation === 3, 30_000);
      await expect
        .poll(async () => (await listOurs(hostId)).map((entry) => entry.State), { timeout: 15_000 })
        .toEqual(['running']);
    } finally {
      child?.kill('SIGTERM');
      await fake.close();
      await removeAll(hostId);
      await rm(stateDir, { recursive: true, force: true });
    }
  }, 90_000);
});

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
