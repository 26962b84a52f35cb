import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DockerEngine } from '@/agent/engines/docker/docker-engine';
import type { ObservedContainer } from '@/agent/engines/engine';
import { createFixture, type Fixture } from '../agent/agent-fixture';
import { makeWorkspaceSpec } from '../agent/specs';
import { buildBusybox, dockerAbsence, listOurs, removeAll } from './docker-fixture';

const imageHost = `i${randomUUID().slice(0, 8)}`;
const plain = `berth-test/${imageHost}:plain`;
const undecided = `berth-test/${imageHost}:undecided`;
const PARALLEL_WORK = 8;

class DockerEngineInAHurry extends DockerEngine {
  healthPatienceMs = Infinity;

  override async inspectContainer(containerId: string): Promise<ObservedContainer | null> {
    const container = await super.inspectContainer(containerId);
    return container && { ...container, healthPatienceMs: this.healthPatienceMs };
  }
}

describe.skipIf(dockerAbsence !== '')('a first health check that takes its time', () => {
  let hostId: string;
  let engine: DockerEngineInAHurry;
  let fixture: Fixture;

  beforeAll(async () => {
    await buildBusybox(imageHost, plain, ['STOPSIGNAL SIGKILL']);
    const check = 'HEALTHCHECK --interval=1h CMD ["/bin/busybox", "true"]';
    await buildBusybox(imageHost, undecided, ['STOPSIGNAL SIGKILL', check]);
  }, 60_000);
  afterAll(() => removeAll(imageHost), 60_000);
  beforeEach(async () => {
    hostId = `h${randomUUID().slice(0, 8)}`;
    engine = new DockerEngineInAHurry({ dockerHost: '' });
    fixture = await createFixture(engine, hostId);
  });
  afterEach(async () => {
    await fixture.close();
    await removeAll(hostId);
  }, 60_000);

  function want(id: string, reference: string, generation: number): void {
    const image = { reference, id: '', pull: false };
    const command = ['/bin/busybox', 'sleep', '1000'];
    const spec = makeWorkspaceSpec({ name: hostId, image, command, generation });
    fixture.console.want(id, { kind: 'workspace', spec });
  }

  const waits = (id: string): boolean =>
    fixture.console.steps.some(({ workspaceId, key }) => workspaceId === id && key === 'health');

  it('keeps no other workspace waiting', async () => {
    const ids = Array.from({ length: PARALLEL_WORK }, (_, index) => `w${index}`);
    for (const id of ids) want(id, plain, 1);
    for (const id of ids) await fixture.console.untilStatus(id, 'running', 30_000);
    for (const id of ids) want(id, undecided, 2);
    await fixture.console.until(() => ids.every(waits), 30_000);
    want('other', plain, 1);
    await fixture.console.untilStatus('other', 'running', 15_000);
  }, 90_000);

  it('is given up in the end, and the container from before stays', async () => {
    engine.healthPatienceMs = 500;
    want('w1', plain, 1);
    const { containerId } = await fixture.console.untilStatus('w1', 'running');
    want('w1', undecided, 2);
    const failed = await fixture.console.untilStatus('w1', 'error', 20_000);
    expect(failed.message).toContain('neither yes nor no');
    expect((await listOurs(hostId)).map(({ Id, State }) => [Id, State])).toEqual([[containerId, 'running']]);
  }, 60_000);
});
