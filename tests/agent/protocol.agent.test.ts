import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startAgent } from '@/agent/agent';
import { SimulatedEngine } from '@/agent/engines/simulated/simulated-engine';
import { createJsonLog } from '@/agent/log';
import { PROTOCOL_VERSION } from '@/lib/protocol/version';
import { createFixture, type Fixture } from './agent-fixture';
import { makeBuildSpec, makeWorkspaceSpec } from './specs';

let engine: SimulatedEngine;
let fixture: Fixture;

beforeEach(async () => {
  engine = new SimulatedEngine({ images: ['berth/test:1'] });
  fixture = await createFixture(engine);
});
afterEach(() => fixture.close());

const wantWorkspace = (overrides: Parameters<typeof makeWorkspaceSpec>[0] = {}) =>
  fixture.console.want('w1', { kind: 'workspace', spec: makeWorkspaceSpec(overrides) });

describe('an agent that is older than its console', () => {
  it('does what it knows, and says of each object which it can not read', async () => {
    fixture.console.wantRaw({ kind: 'sensor', id: 'v1', spec: { driver: 'local' } });
    fixture.console.wantRaw({ kind: 'job', id: 'j1', spec: { ...makeBuildSpec(), job: 'scan' } });
    wantWorkspace();
    await fixture.console.untilStatus('w1', 'running');
    await fixture.console.until(() => fixture.console.unsupported.length === 2);
    expect(fixture.console.unsupported).toEqual([
      { kind: 'sensor', id: 'v1', revision: 1, reason: 'objects of this kind are not known' },
      { kind: 'job', id: 'j1', revision: 2, reason: expect.stringContaining('job: ') },
    ]);
    expect(fixture.console.problems).toEqual([]);
  });

  it('says so once, and again to a console that may have missed it', async () => {
    fixture.console.wantRaw({ kind: 'sensor', id: 'v1', spec: {} });
    await fixture.console.until(() => fixture.console.unsupported.length === 1);
    wantWorkspace();
    await fixture.console.untilStatus('w1', 'running');
    expect(fixture.console.unsupported).toHaveLength(1);
    fixture.console.link?.socket.terminate();
    await fixture.console.until(() => fixture.console.unsupported.length === 2);
  });

  it('goes on with what it read last of an object, until it can read it again', async () => {
    wantWorkspace();
    const first = await fixture.console.untilStatus('w1', 'running');
    fixture.console.wantRaw({ kind: 'workspace', id: 'w1', spec: { ...makeWorkspaceSpec(), state: 'hibernated' } });
    await fixture.console.until(() => fixture.console.unsupported.length === 1);
    expect(fixture.console.unsupported[0]).toMatchObject({ kind: 'workspace', id: 'w1', revision: 2 });
    engine.killByHand(first.containerId);
    await fixture.console.until(() => engine.calls.filter((call) => call.startsWith('start')).length === 2);
    wantWorkspace({ generation: 2, state: 'stopped' });
    await fixture.console.untilStatus('w1', 'stopped');
    const told = fixture.console.statuses.length;
    fixture.console.link?.socket.terminate();
    await fixture.console.until(() => fixture.console.statuses.length > told);
    expect(fixture.console.unsupported).toHaveLength(1);
  });

  it('takes no notice of fields beyond its own, in a spec or an answer', async () => {
    fixture.console.extraWords = { protocol: PROTOCOL_VERSION + 1, protocolMin: PROTOCOL_VERSION, mood: 'fine' };
    wantWorkspace();
    const first = await fixture.console.untilStatus('w1', 'running');
    const spec = { ...makeWorkspaceSpec({ generation: 2 }), volumes: [{ id: 'v1' }] };
    fixture.console.wantRaw({ kind: 'workspace', id: 'w1', spec });
    const second = await fixture.console.until(() => fixture.console.statuses.find((s) => s.generation === 2));
    expect(second.containerId).toBe(first.containerId);
    expect(fixture.console.unsupported).toEqual([]);
  });
});

describe('an agent without a version in common with its console', () => {
  it('says which of the two to upgrade', async () => {
    let logged = '';
    const log = createJsonLog('error', (line) => (logged += line));
    const { url, stateDir } = fixture;
    await fixture.agent.stop();
    const [first, last] = [PROTOCOL_VERSION + 1, PROTOCOL_VERSION + 2];
    fixture.console.extraWords = { protocol: last, protocolMin: first };
    fixture.agent = await startAgent({ consoleUrl: url, hostName: 'test', stateDir, engine, log });
    await fixture.console.until(() => logged !== '');
    expect(logged).toContain(
      `The agent speaks protocol 1 to ${PROTOCOL_VERSION}, the console ${first} to ${last}. Upgrade the agent.`,
    );
  });
});
