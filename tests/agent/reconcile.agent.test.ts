import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EngineError } from '@/agent/engines/engine-error';
import { SimulatedEngine } from '@/agent/engines/simulated/simulated-engine';
import { createFixture, type Fixture } from './agent-fixture';
import { makeWorkspaceSpec } from './specs';

let engine: SimulatedEngine;
let fixture: Fixture;

beforeEach(async () => {
  engine = new SimulatedEngine({ images: ['berth/test:1', 'berth/test:2'] });
  fixture = await createFixture(engine);
});
afterEach(() => fixture.close());

function want(overrides: Parameters<typeof makeWorkspaceSpec>[0] = {}): void {
  fixture.console.want('w1', { kind: 'workspace', spec: makeWorkspaceSpec(overrides) });
}

async function containersNow() {
  return (await engine.observe('host1')).toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
}

async function runFirst(overrides: Parameters<typeof makeWorkspaceSpec>[0] = {}) {
  want(overrides);
  return fixture.console.untilStatus('w1', 'running');
}

describe('the agent', () => {
  it('starts what is wanted and tells the steps', async () => {
    const status = await runFirst({ ports: [{ containerPort: 80, protocol: 'tcp', hostPort: 8080, hostIp: '' }] });
    expect(status).toMatchObject({ generation: 1, message: '', retries: 0 });
    expect(status.ports).toEqual([{ containerPort: 80, protocol: 'tcp', hostPort: 8080, hostIp: '' }]);
    const done = fixture.console.steps.filter((step) => step.status === 'done').map((step) => step.key);
    expect(done).toEqual(['image', 'create', 'start']);
    expect(fixture.console.problems).toEqual([]);
  });

  it('stops, starts again without a new container, and removes', async () => {
    const first = await runFirst();
    want({ state: 'stopped', generation: 2 });
    await fixture.console.untilStatus('w1', 'stopped');
    want({ generation: 3 });
    const second = await fixture.console.until(() =>
      fixture.console.statuses.findLast((s) => s.generation === 3 && s.status === 'running'),
    );
    expect(second.containerId).toBe(first.containerId);
    fixture.console.want('w1', null);
    await fixture.console.untilStatus('w1', 'absent');
    expect(await containersNow()).toEqual([]);
  });

  it('adopts an equal container under a new generation', async () => {
    const first = await runFirst();
    want({ generation: 2 });
    const second = await fixture.console.until(() => fixture.console.statuses.find((s) => s.generation === 2));
    expect(second).toMatchObject({ status: 'running', containerId: first.containerId });
    expect(engine.calls.filter((call) => call.startsWith('create'))).toHaveLength(1);
  });

  it('keeps the old container until the new one is up', async () => {
    await runFirst();
    want({ generation: 2, environment: [{ name: 'A', value: '1' }] });
    await fixture.console.until(() =>
      fixture.console.statuses.find((s) => s.generation === 2 && s.status === 'running'),
    );
    expect(engine.calls.map((call) => call.replace(/ .*-/, ' '))).toEqual([
      'create 1',
      'start 1',
      'create 2',
      'start 2',
      'remove 1',
    ]);
  });

  it('puts the old container back when the new one fails on the same port', async () => {
    const ports = [{ containerPort: 80, protocol: 'tcp' as const, hostPort: 8081, hostIp: '' }];
    const first = await runFirst({ ports });
    engine.failNext('start', new EngineError('invalid', 'exec format error'));
    want({ generation: 2, ports, image: { reference: 'berth/test:2', id: '', pull: false } });
    const failed = await fixture.console.untilStatus('w1', 'error');
    expect(failed).toMatchObject({ generation: 2, containerId: first.containerId });
    expect(failed.message).toContain('exec format error');
    expect(failed.message).toContain('previous container was started again');
    const left = await containersNow();
    expect(left.map((container) => [container.containerId, container.state])).toEqual([[first.containerId, 'running']]);
  });

  it('leaves nothing behind when a start fails, and tries again only when asked', async () => {
    engine.failNext('start', new EngineError('conflict', 'port is already allocated'));
    want();
    const failed = await fixture.console.untilStatus('w1', 'error');
    expect(failed.message).toContain('port is already allocated');
    expect(await containersNow()).toEqual([]);
    want({ attempt: 1 });
    expect(await fixture.console.untilStatus('w1', 'running')).toMatchObject({ attempt: 1 });
  });

  it('retries what may pass, with a visible count', async () => {
    engine.failNext('create', new EngineError('busy', 'the engine is busy'));
    want();
    const waiting = await fixture.console.until(() => fixture.console.statuses.find((s) => s.retries === 1));
    expect(waiting).toMatchObject({ status: 'deploying', message: 'the engine is busy' });
    expect(await fixture.console.untilStatus('w1', 'running')).toMatchObject({ retries: 0 });
  });

  it('reports a missing image without a retry', async () => {
    want({ image: { reference: 'berth/none:1', id: '', pull: false } });
    const failed = await fixture.console.untilStatus('w1', 'error');
    expect(failed.message).toBe('The image berth/none:1 is not on this host. Build it again.');
  });

  it('does not restart what ended by itself, even after its own restart, until asked', async () => {
    const first = await runFirst();
    engine.exitByItself(first.containerId, 3);
    const ended = await fixture.console.untilStatus('w1', 'error');
    expect(ended).toMatchObject({ message: 'Exited with code 3', exitCode: 3 });
    await fixture.restartAgent(engine);
    await fixture.console.until(() => fixture.console.statuses.at(-1) !== ended);
    expect(fixture.console.status('w1')).toMatchObject({ status: 'error', message: 'Exited with code 3' });
    want({ attempt: 1 });
    await fixture.console.untilStatus('w1', 'running');
  });

  it('puts right what was stopped or removed by hand, without duplicates', async () => {
    const first = await runFirst();
    engine.killByHand(first.containerId);
    await fixture.console.until(() => engine.calls.filter((call) => call.startsWith('start')).length === 2);
    await fixture.console.untilStatus('w1', 'running');
    engine.removeByHand(first.containerId);
    await fixture.console.until(
      () =>
        fixture.console.status('w1')?.status === 'running' &&
        fixture.console.status('w1')?.containerId !== first.containerId,
    );
    expect(await containersNow()).toHaveLength(1);
  });

  it('reports an engine that is away and puts things right when it is back', async () => {
    const first = await runFirst();
    engine.setOutage('connection refused');
    await fixture.console.until(() => fixture.console.heartbeats.at(-1)?.engine.message === 'connection refused');
    engine.setOutage(null);
    await fixture.console.until(() => fixture.console.heartbeats.at(-1)?.engine.reachable);
    await fixture.console.until(() => engine.calls.filter((call) => call.startsWith('start')).length === 2);
    expect((await containersNow()).map((c) => [c.containerId, c.state])).toEqual([[first.containerId, 'running']]);
  });

  it('touches nothing of another host', async () => {
    const spec = makeWorkspaceSpec();
    const request = { workspaceId: 'w1', specHash: 'x', image: 'berth/test:1', spec, mounts: [], runtime: '' };
    await engine.createContainer({ ...request, name: 'foreign', hostId: 'host2' });
    fixture.console.want('w1', null);
    await fixture.console.untilStatus('w1', 'absent');
    expect(await engine.observe('host2')).toHaveLength(1);
  });

  it('gives up a slow start when a stop is wanted', async () => {
    engine.delaysMs.pull = 60_000;
    want({ image: { reference: 'berth/slow:1', id: '', pull: true } });
    await fixture.console.until(() => engine.calls.includes('pull berth/slow:1'));
    want({ generation: 2, state: 'stopped', image: { reference: 'berth/slow:1', id: '', pull: true } });
    await fixture.console.untilStatus('w1', 'stopped');
  });

  it('is starting until its image says that it is healthy', async () => {
    const first = await runFirst();
    engine.setHealth(first.containerId, 'starting');
    await fixture.console.untilStatus('w1', 'starting');
    engine.setHealth(first.containerId, 'healthy');
    await fixture.console.untilStatus('w1', 'running');
  });
});
