import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type PocketBase from 'pocketbase';
import type { RecordModel } from 'pocketbase';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AgentProcess } from '../setup/agent-process';
import { eventually, startConsole, type ConsoleProcess } from '../setup/console-process';
import { reaches, request, setUp } from '../setup/journey';

/** Enough that their steps do not fit into one report. */
const COUNT = 80;
const stateDir = fs.mkdtempSync(path.join(os.tmpdir(), 'berth-agent-'));
let berth: ConsoleProcess;
let agent: AgentProcess;
let pb: PocketBase;
let made: RecordModel[];

const workspaces = () => pb.collection('workspaces').getFullList();
const allRun = (limitMs: number) =>
  eventually('all run', async () => (await workspaces()).every(({ status }) => status === 'running'), limitMs);

beforeAll(async () => {
  berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'off' } });
  pb = await setUp(berth.url);
  const { token } = await pb.send<{ token: string }>('/api/hosts/join-token', { method: 'POST', body: {} });
  agent = new AgentProcess({
    BERTH_CONSOLE_URL: berth.url,
    BERTH_JOIN_TOKEN: token,
    BERTH_HOST_NAME: 'burst',
    BERTH_AGENT_STATE_DIR: stateDir,
  });
  const host = await eventually('the host is online', async () => {
    const [found] = await pb.collection('hosts').getFullList();
    return found?.status === 'online' && found.engine.liveLink ? found : undefined;
  });
  const values = { name: 'base', build_on: host.id, creationType: 'writeDockerfile', dockerfile: 'FROM scratch\n' };
  const image = await pb.collection('images').create(values);
  await request(pb, 'image', image.id, 'build');
  await reaches(pb, { collection: 'images', id: image.id, status: 'build_finished' });
  const create = (_: unknown, index: number) =>
    pb.collection('workspaces').create({ name: `burst-${index}`, host: host.id, image: image.id });
  made = await Promise.all(Array.from({ length: COUNT }, create));
  await Promise.all(made.map(({ id }) => request(pb, 'workspace', id, 'start')));
  await allRun(60_000);
}, 120_000);

afterAll(async () => {
  await agent?.kill('SIGKILL');
  await berth?.dispose();
  fs.rmSync(stateDir, { recursive: true, force: true });
});

it('opens no repair for what the host told late of redeploys that are over', async () => {
  await Promise.all(made.map(({ id }) => request(pb, 'workspace', id, 'redeploy')));
  await berth.kill('SIGKILL');
  // The host goes on by itself, and has all of it to tell at once.
  await new Promise((resolve) => setTimeout(resolve, 3000));
  berth = await berth.restart();
  await allRun(60_000);
  const open = await eventually('every deployment is over', async () => {
    const found = await pb.collection('deployments').getFullList({ filter: 'status = "pending"' });
    return found.length === 0 ? found : undefined;
  });
  expect(open).toEqual([]);
  expect(await pb.collection('deployments').getFullList({ filter: 'action = "repair"' })).toEqual([]);
}, 120_000);
