import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startAgent } from '@/agent/agent';
import { SimulatedEngine } from '@/agent/engines/simulated/simulated-engine';
import { createFixture, type Fixture, quietLog } from './agent-fixture';
import { makeBuildSpec, makeHostSpec, makeWorkspaceSpec } from './specs';

let engine: SimulatedEngine;
let fixture: Fixture;

beforeEach(async () => {
  engine = new SimulatedEngine({ images: ['berth/test:1'] });
  fixture = await createFixture(engine);
});
afterEach(() => fixture.close());

describe('the agent and its console', () => {
  it('says what the host is', async () => {
    const beat = await fixture.console.until(() => fixture.console.heartbeats.at(-1));
    expect(beat.engine).toEqual({ kind: 'simulated', reachable: true, message: '' });
    expect(beat.resources.cpuCores).toBeGreaterThan(0);
  });

  it('refuses to start with a bad token', async () => {
    const config = { consoleUrl: fixture.url, hostName: 'x', stateDir: `${fixture.stateDir}/other`, log: quietLog };
    await expect(startAgent({ ...config, joinToken: 'wrong', engine: 'simulated' })).rejects.toThrow(
      'join token was refused',
    );
    await expect(startAgent({ ...config, engine: 'simulated' })).rejects.toThrow('BERTH_JOIN_TOKEN');
  });

  it('sends reports again until they are taken', async () => {
    fixture.console.want('w1', { kind: 'workspace', spec: makeWorkspaceSpec() });
    fixture.console.failCalls = 4;
    await fixture.console.untilStatus('w1', 'running');
  });

  it('corrects a clock that is off', async () => {
    fixture.console.clockOffsetMs = 3_600_000;
    fixture.console.want('w1', { kind: 'workspace', spec: makeWorkspaceSpec() });
    await fixture.console.untilStatus('w1', 'running');
  });

  it('comes back after the link is cut and learns what it missed', async () => {
    fixture.console.link?.socket.terminate();
    fixture.console.link = undefined;
    fixture.console.want('w1', { kind: 'workspace', spec: makeWorkspaceSpec() });
    await fixture.console.until(() => fixture.console.link);
    await fixture.console.untilStatus('w1', 'running');
  });

  it('streams logs, follows them to the end of the container, and on when it starts again', async () => {
    fixture.console.want('w1', { kind: 'workspace', spec: makeWorkspaceSpec() });
    const status = await fixture.console.untilStatus('w1', 'running');
    const stream = fixture.console.link?.mux.open({
      kind: 'logs',
      until: '',
      workspaceId: 'w1',
      tail: null,
      since: '',
      follow: true,
      numbered: false,
    });
    let text = '';
    stream?.listen({
      onData: (chunk) => {
        text += chunk.toString();
        stream.consumed(chunk.length);
      },
    });
    await fixture.console.until(() => text.includes('has started'));
    engine.exitByItself(status.containerId, 0);
    await fixture.console.until(() => text.includes('{"k":"ended","exitCode":0,"isRestarting":false}'));
    expect(text).toContain('"s":"err","m":"Simulated engine: ended with code 0"');
    await engine.startContainer(status.containerId);
    await fixture.console.until(() => text.split('has started').length === 3);
    stream?.cancel();
  });
});

describe('jobs', () => {
  it('builds with a log and reports the image', async () => {
    fixture.console.want('b1', { kind: 'job', spec: makeBuildSpec() });
    const done = await fixture.console.untilJob('b1', 'done');
    expect(done.imageId).toMatch(/^sha256:/);
    await fixture.console.until(() => fixture.console.logText.get('b1')?.includes('[2/2] COPY'));
  });

  it('keeps to the width of the host and tells the places', async () => {
    engine.delaysMs.build = 100;
    fixture.console.want('h', { kind: 'host', spec: makeHostSpec({ buildWidth: 1 }) });
    fixture.console.want('b1', { kind: 'job', spec: makeBuildSpec() });
    fixture.console.want('b2', { kind: 'job', spec: makeBuildSpec({ reference: 'berth/built:2' }) });
    expect(await fixture.console.untilJob('b2', 'pending')).toMatchObject({ queuePlace: 1 });
    await fixture.console.untilJob('b2', 'done');
    expect(fixture.console.jobEvents.some((event) => event.id === 'b1' && event.status === 'done')).toBe(true);
  });

  it('cancels a running build and one that waits', async () => {
    engine.delaysMs.build = 60_000;
    fixture.console.want('b1', { kind: 'job', spec: makeBuildSpec() });
    fixture.console.want('b2', { kind: 'job', spec: makeBuildSpec() });
    await fixture.console.untilJob('b2', 'pending');
    fixture.console.want('b2', { kind: 'job', spec: makeBuildSpec({ cancel: true }) });
    fixture.console.want('b1', { kind: 'job', spec: makeBuildSpec({ cancel: true }) });
    await fixture.console.untilJob('b2', 'cancelled');
    await fixture.console.untilJob('b1', 'cancelled');
  });

  it('stops a build at its deadline', async () => {
    engine.delaysMs.build = 60_000;
    fixture.console.want('b1', { kind: 'job', spec: makeBuildSpec({ timeoutMs: 50 }) });
    expect((await fixture.console.untilJob('b1', 'error')).message).toContain('took longer than');
  });

  it('gives a push time of its own after the build', async () => {
    engine.delaysMs.push = 60_000;
    const push = { reference: 'registry.corp/team/app:1', timeoutMs: 50 };
    fixture.console.want('b1', { kind: 'job', spec: makeBuildSpec({ bases: [], push }) });
    const { message } = await fixture.console.untilJob('b1', 'error');
    expect(message).toBe('The push took longer than 0 s and was stopped');
    // What the build took is not counted: it would have been late by now.
    engine.delaysMs.push = 1200;
    const patient = makeBuildSpec({ bases: [], timeoutMs: 1000, push: { ...push, timeoutMs: 0 } });
    fixture.console.want('b2', { kind: 'job', spec: patient });
    await fixture.console.untilJob('b2', 'done');
  });

  it('does not build again what it had finished, and reports what a restart cut off', async () => {
    fixture.console.want('b1', { kind: 'job', spec: makeBuildSpec() });
    await fixture.console.untilJob('b1', 'done');
    engine.delaysMs.build = 60_000;
    fixture.console.want('b2', { kind: 'job', spec: makeBuildSpec() });
    await fixture.console.untilJob('b2', 'running');
    await fixture.restartAgent(engine);
    const cut = await fixture.console.untilJob('b2', 'error');
    expect(cut.message).toBe('The agent restarted during the build; build again');
    expect(engine.calls.filter((call) => call.startsWith('build'))).toHaveLength(2);
  });

  it('begins a pull anew after a restart', async () => {
    engine.delaysMs.pull = 60_000;
    const spec = { job: 'pull' as const, imageId: 'i', reference: 'a/b:1', timeoutMs: 0, cancel: false };
    fixture.console.want('p1', { kind: 'job', spec });
    await fixture.console.untilJob('p1', 'running');
    engine.delaysMs.pull = 1;
    await fixture.restartAgent(engine);
    await fixture.console.untilJob('p1', 'done');
  });
});
