import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { closeDb } from '@/db/database';
import { agentRoutes } from '@/lib/hosts/link/agent-routes';
import { hosts } from '@/lib/hosts/collection';
import { tendLocalJoinToken } from '@/lib/hosts/local-join-token';
import { nowMs, setClock } from '@/lib/clock';
import { write } from '@/lib/records/transaction';
import { createCaller } from './kernel-caller';
import { ScriptedAgent } from './scripted-agent';

const MINUTE_MS = 60_000;
const call = createCaller(agentRoutes);
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-join-'));
const file = path.join(folder, 'join', 'token');
const held = (): string | undefined => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : undefined);
let restore: () => void = () => undefined;

beforeEach(() => fs.rmSync(path.dirname(file), { recursive: true, force: true }));
afterEach(() => restore());
afterAll(() => {
  fs.rmSync(folder, { recursive: true });
  closeDb();
});

async function goOffline(hostId: string): Promise<void> {
  await write((tx) => tx.patch(hosts, hostId, { status: 'offline' }));
}

describe('the join token beside the console', () => {
  it('is left for the owner alone, and stays while it is good', async () => {
    await tendLocalJoinToken(file);
    const token = held();
    expect(token).toMatch(/^\w{40}$/);
    expect(fs.statSync(file).mode & 0o777).toBe(0o600);
    await tendLocalJoinToken(file);
    expect(held()).toBe(token);
  });

  it('is made anew before it expires; the older one no longer counts', async () => {
    await tendLocalJoinToken(file);
    const older = held()!;
    const later = nowMs() + 31 * MINUTE_MS;
    restore = setClock(() => later);
    await tendLocalJoinToken(file);
    expect(held()).not.toBe(older);
    expect((await new ScriptedAgent(call).join('local', older)).status).toBe(403);
  });

  it('goes once the host is online, and comes back when it is offline', async () => {
    await tendLocalJoinToken(file);
    const agent = new ScriptedAgent(call);
    expect((await agent.join('local', held()!)).status).toBe(200);
    await tendLocalJoinToken(file);
    const unused = held()!;
    await agent.heartbeat();
    await tendLocalJoinToken(file);
    expect(held()).toBeUndefined();
    expect((await new ScriptedAgent(call).join('local', unused)).status).toBe(403);

    await goOffline(agent.hostId);
    await tendLocalJoinToken(file);
    const successor = new ScriptedAgent(call);
    expect((await successor.join('local', held()!)).status).toBe(200);
    expect(successor.hostId).toBe(agent.hostId);
  });

  it('opens no other host', async () => {
    await write((tx) =>
      tx.find(hosts, { name: 'local' }).forEach((host) => tx.patch(hosts, host.id, { status: 'offline' })),
    );
    await tendLocalJoinToken(file);
    expect((await new ScriptedAgent(call).join('elsewhere', held()!)).status).toBe(403);
  });
});
