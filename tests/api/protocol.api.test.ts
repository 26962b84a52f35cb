import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeDb } from '@/db/client';
import { hosts } from '@/lib/hosts/collection';
import { createJoinToken } from '@/lib/hosts/create-join-token';
import { agentRoutes } from '@/lib/hosts/link/agent-routes';
import { getIdentity } from '@/lib/hosts/link/host-identities';
import { PROTOCOL_VERSION, PROTOCOL_VERSION_MIN } from '@/lib/protocol/version';
import { StoreReader } from '@/lib/records/transaction';
import { createHost } from './factories';
import { createCaller } from './kernel-caller';
import { makeHeartbeat, makeJoin, ScriptedAgent } from './scripted-agent';

const call = createCaller(agentRoutes);
let agent: ScriptedAgent;

const speaking = (protocol: number, protocolMin = protocol) => {
  return { agent: '9.0.0', protocol, protocolMin, engine: '', engineApi: '' };
};
const refusalOf = (answer: { json?: unknown }) =>
  (answer.json as { data: { agent: { code: string; message: string } } }).data.agent;

beforeAll(async () => {
  ({ agent } = await createHost(call));
});
afterAll(() => closeDb());

describe('versions of the protocol', () => {
  it('are said by the console in its answers and kept of each agent', async () => {
    const own = { protocol: PROTOCOL_VERSION, protocolMin: PROTOCOL_VERSION_MIN };
    const { token } = await createJoinToken({ kind: 'system' }, { name: 'older' });
    const older = new ScriptedAgent(call);
    expect((await older.join('older', token)).json).toMatchObject(own);
    expect(getIdentity(older.hostId)).toMatchObject({ protocol: 1 });
    const beat = await older.heartbeat({ versions: speaking(PROTOCOL_VERSION + 1, PROTOCOL_VERSION) });
    expect([beat.status, beat.json]).toEqual([200, expect.objectContaining(own)]);
    expect(getIdentity(older.hostId)).toMatchObject({ protocol: PROTOCOL_VERSION + 1 });
    const { engine } = new StoreReader().get(hosts, older.hostId)!;
    expect(engine).toMatchObject({ protocol: PROTOCOL_VERSION + 1 });
  });

  it('out of range are refused, with what to upgrade, whatever shape the rest has', async () => {
    const versions = speaking(9, 8);
    const beat = await agent.send('POST', '/api/agent/heartbeat', { pulse: 1, versions });
    const message = `The agent speaks protocol 8 to 9, the console 1 to ${PROTOCOL_VERSION}. Upgrade the console.`;
    expect([beat.status, refusalOf(beat)]).toEqual([403, { code: 'agent_protocol_unsupported', message }]);
    const body = JSON.stringify({ ...makeJoin('x', 'none', agent.publicKey), name: 7, versions: speaking(0) });
    const join = await call({ method: 'POST', url: '/api/agent/join', body });
    expect([join.status, refusalOf(join).code]).toEqual([403, 'agent_protocol_unsupported']);
    expect(refusalOf(join).message).toContain('Upgrade the agent.');
  });

  it('in range leave a malformed message malformed', async () => {
    const answer = await agent.send('POST', '/api/agent/heartbeat', { ...makeHeartbeat(agent.instance), os: 7 });
    expect(answer.status).toBe(400);
  });
});
