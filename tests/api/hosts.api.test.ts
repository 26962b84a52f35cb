import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { closeDb } from '@/db/database';
import { agentRoutes } from '@/lib/hosts/link/agent-routes';
import { hosts } from '@/lib/hosts/collection';
import { createEmbeddedJoinToken, createJoinToken } from '@/lib/hosts/create-join-token';
import { nowMs, setClock } from '@/lib/clock';
import { consoleStartedAtMs } from '@/lib/hosts/link/console-start';
import { getIdentity } from '@/lib/hosts/link/host-identities';
import { lostLinks } from '@/lib/hosts/link/links';
import { sweepSilentHosts } from '@/lib/hosts/link/offline-sweep';
import { PROTOCOL_VERSION } from '@/lib/protocol/version';
import { changeListeners } from '@/lib/records/changes';
import { StoreReader } from '@/lib/records/transaction';
import { createHost } from './factories';
import { createCaller } from './kernel-caller';
import { ScriptedAgent } from './scripted-agent';

const call = createCaller(agentRoutes);
const admin = { kind: 'system' } as const;
const codeOf = (response: { json?: unknown }) =>
  (response.json as { data: { agent: { code: string } } }).data.agent.code;
const readHost = (id: string) => new StoreReader().get(hosts, id)!;
let restore: () => void = () => undefined;
const moveClock = (byMs: number) => {
  const at = nowMs() + byMs;
  restore = setClock(() => at);
};

beforeAll(() => void consoleStartedAtMs());
afterEach(() => restore());
afterAll(() => closeDb());

describe('joining', () => {
  it('makes a host that is offline until its first heartbeat', async () => {
    const { token } = await createJoinToken(admin, { name: 'alpha' });
    const agent = new ScriptedAgent(call);
    expect((await agent.join('alpha', token)).status).toBe(200);
    expect(readHost(agent.hostId)).toMatchObject({ name: 'alpha', status: 'offline', heartbeat_interval_seconds: 10 });
    const beat = await agent.heartbeat();
    expect(beat.json).toMatchObject({ revision: 1, heartbeatIntervalSeconds: 10 });
    expect(readHost(agent.hostId)).toMatchObject({ status: 'online', os: 'linux', agentVersion: '0.1.0' });
  });

  it('lets one of two parallel joins with a single-use token in', async () => {
    const { token } = await createJoinToken(admin, {});
    const agents = [new ScriptedAgent(call), new ScriptedAgent(call)];
    const answers = await Promise.all(agents.map((agent, index) => agent.join(`twin-${index}`, token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 403]);
    expect(codeOf(answers.find(({ status }) => status === 403)!)).toBe('agent_bad_token');
  });

  it('lets hosts in disabled by a token for many: an admin looks at them first', async () => {
    const { token } = await createJoinToken(admin, { reusable: true });
    const agents = [new ScriptedAgent(call), new ScriptedAgent(call)];
    for (const [index, agent] of agents.entries()) {
      expect((await agent.join(`many-${index}`, token)).status).toBe(200);
      expect(readHost(agent.hostId)).toMatchObject({ name: `many-${index}`, enabled: false });
    }
  });

  it('answers the same host when the same key asks again with its used token', async () => {
    const { token } = await createJoinToken(admin, { name: 'again' });
    const agent = new ScriptedAgent(call);
    const [first, second] = [await agent.join('again', token), await agent.join('again', token)];
    expect((second.json as { hostId: string }).hostId).toBe((first.json as { hostId: string }).hostId);
  });

  it('refuses a taken name without using the token up, unless the token replaces keys', async () => {
    const { agent: older, host } = await createHost(call, 'taken');
    const { token } = await createJoinToken(admin, {});
    const agent = new ScriptedAgent(call);
    const refused = await agent.join('taken', token);
    expect([refused.status, codeOf(refused)]).toEqual([409, 'agent_name_taken']);
    expect((await agent.join('not-taken', token)).status).toBe(200);
    const replacing = await createJoinToken(admin, { name: 'taken', replaceKey: true });
    const newer = new ScriptedAgent(call);
    await newer.join('taken', replacing.token);
    expect(newer.hostId).toBe(host.id);
    expect((await newer.heartbeat()).status).toBe(200);
    expect(codeOf(await older.heartbeat())).toBe('agent_bad_proof');
  });

  it('refuses an expired token and a token for another name', async () => {
    const { token } = await createJoinToken(admin, { name: 'mine' });
    expect(codeOf(await new ScriptedAgent(call).join('other', token))).toBe('agent_bad_token');
    moveClock(61 * 60_000);
    expect(codeOf(await new ScriptedAgent(call).join('mine', token))).toBe('agent_bad_token');
  });

  it('gives the embedded agent that lost its state its host back', async () => {
    const { host } = await createHost(call, 'local');
    const agent = new ScriptedAgent(call);
    await agent.join('local', await createEmbeddedJoinToken('local'));
    expect(agent.hostId).toBe(host.id);
  });

  it('refuses a protocol that the console does not speak', async () => {
    const { agent } = await createHost(call);
    const versions = {
      agent: '9',
      protocol: PROTOCOL_VERSION + 2,
      protocolMin: PROTOCOL_VERSION + 1,
      engine: '',
      engineApi: '',
    };
    const answer = await agent.heartbeat({ versions });
    expect([answer.status, codeOf(answer)]).toEqual([403, 'agent_protocol_unsupported']);
  });
});

describe('what an agent may send', () => {
  it('is cut to what is kept, and a revision out of all bounds does not become the console’s', async () => {
    const { agent } = await createHost(call);
    const before = getIdentity(agent.hostId)!.revision;
    const engine = { kind: 'docker', reachable: false, message: 'x'.repeat(100_000) } as const;
    const beat = { engine, os: 'o'.repeat(9000), appliedRevision: Number.MAX_SAFE_INTEGER };
    expect((await agent.heartbeat(beat)).status).toBe(200);
    const host = readHost(agent.hostId);
    expect([host.statusMessage.length, host.os.length, host.engine?.message.length]).toEqual([10_000, 200, 10_000]);
    expect(getIdentity(agent.hostId)!.revision).toBeLessThanOrEqual(before + 1_000_001);
    expect((await agent.heartbeat({ appliedRevision: -1 })).status).toBe(400);
  });
});

describe('proofs', () => {
  it('refuses what was tampered with, replayed, meant for another call or badly timed', async () => {
    const { agent } = await createHost(call);
    const { agent: other } = await createHost(call);
    const seconds = Math.floor(nowMs() / 1000);
    await agent.heartbeat({}, { jti: 'once' });
    const cases: [string, Parameters<ScriptedAgent['heartbeat']>[1]][] = [
      ['agent_replayed', { jti: 'once' }],
      ['agent_bad_proof', { signedBody: '{}' }],
      ['agent_bad_proof', { method: 'GET' }],
      ['agent_bad_proof', { path: '/api/agent/report' }],
      ['agent_bad_proof', { iss: other.hostId }],
      ['agent_bad_proof', { alg: 'none' }],
      ['agent_unknown_host', { iss: 'nobody' }],
      ['agent_clock_skew', { iatSeconds: seconds + 301 }],
      ['agent_clock_skew', { iatSeconds: seconds - 301 }],
    ];
    for (const [code, changes] of cases) {
      const answer = await agent.heartbeat({}, changes);
      expect([answer.status, codeOf(answer)], JSON.stringify(changes)).toEqual([401, code]);
      expect(Number(answer.headers?.['x-berth-now'])).toBeGreaterThan(0);
      expect((answer.json as { now: number }).now).toBeGreaterThan(0);
    }
  });

  it('refuses a request without a proof', async () => {
    const answer = await call({ method: 'GET', url: '/api/agent/desired' });
    expect([answer.status, codeOf(answer)]).toEqual([401, 'agent_bad_proof']);
  });

  it('refuses a report of more than 1 MiB', async () => {
    const { agent } = await createHost(call);
    const answer = await agent.send('POST', '/api/agent/report', { padding: 'x'.repeat(1024 * 1024) });
    expect(answer.status).toBe(413);
  });
});

describe('heartbeats', () => {
  it('takes the next process sooner once the link of the one before is lost', async () => {
    const { agent } = await createHost(call);
    lostLinks.add(agent.hostId);
    moveClock(14_000);
    expect(codeOf(await agent.heartbeat({ instance: 'second' }))).toBe('agent_duplicate_instance');
    moveClock(2000);
    expect((await agent.heartbeat({ instance: 'second' })).status).toBe(200);
  });

  it('takes the next process at once where it has seen that the one before has ended', async () => {
    const { agent } = await createHost(call);
    expect(codeOf(await agent.heartbeat({ instance: 'second', replaces: ['stranger'] }))).toBe(
      'agent_duplicate_instance',
    );
    expect((await agent.heartbeat({ instance: 'second', replaces: ['stranger', agent.instance] })).status).toBe(200);
    expect(codeOf(await agent.heartbeat())).toBe('agent_duplicate_instance');
  });

  it('refuses a second process while the first is alive and takes it once that is silent', async () => {
    const { agent } = await createHost(call);
    const refused = await agent.heartbeat({ instance: 'second' });
    expect([refused.status, codeOf(refused)]).toEqual([409, 'agent_duplicate_instance']);
    moveClock(41_000);
    expect((await agent.heartbeat({ instance: 'second' })).status).toBe(200);
    expect(codeOf(await agent.heartbeat())).toBe('agent_duplicate_instance');
  });

  it('tells listeners of news at once, and of other beats not within five seconds', async () => {
    const { agent } = await createHost(call);
    const told: string[] = [];
    const listener = {
      onCommitted: (changes: readonly { action: string }[]) => told.push(...changes.map((c) => c.action)),
    };
    changeListeners.add(listener);
    moveClock(4000);
    await agent.heartbeat();
    expect(told).toEqual([]);
    expect(readHost(agent.hostId).lastHeartbeat).toBe(new Date(nowMs()).toISOString().replace('T', ' '));
    await agent.heartbeat({ os: 'linux 2' });
    changeListeners.delete(listener);
    expect(told).toEqual(['update']);
  });

  it('outruns an agent that holds a later revision than the console, and answers it in full', async () => {
    const { agent } = await createHost(call);
    const beat = await agent.heartbeat({ appliedRevision: 500 });
    expect(beat.json).toMatchObject({ revision: 501 });
    expect((await agent.desired(500)).json).toMatchObject({ revision: 501, full: true });
  });

  it('calls a silent host offline, after the whole period since the start', async () => {
    const { agent } = await createHost(call);
    moveClock(39_000);
    await sweepSilentHosts();
    expect(readHost(agent.hostId).status).toBe('online');
    moveClock(2000);
    await sweepSilentHosts();
    expect(readHost(agent.hostId)).toMatchObject({ status: 'offline' });
    await agent.heartbeat();
    expect(readHost(agent.hostId)).toMatchObject({ status: 'online', statusMessage: '' });
  });
});
