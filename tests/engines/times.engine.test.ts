import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type PocketBase from 'pocketbase';
import type { RecordModel } from 'pocketbase';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { eventually, startConsole, type ConsoleProcess } from '../setup/console-process';
import { BASE_IMAGE, engineIsThere } from '../setup/docker';
import { startAgent, type JoinedAgent } from '../setup/joined-agent';
import { buildImage, cleanHost, localHost, reaches, request, setUp } from '../setup/journey';

/** A minute of the console and the agent is six seconds here. */
const RATE = 10;
const IDLE_MINUTES = 5;
const FAST = {
  NODE_OPTIONS: `--import ${pathToFileURL(path.resolve(import.meta.dirname, '../setup/fast-clock.mjs')).href}`,
  CLOCK_START: String(Date.now()),
  CLOCK_RATE: String(RATE),
};

/** Real containers that nobody uses, and others that somebody does. */
describe.skipIf(!engineIsThere())('workspaces with an idle time on Docker', () => {
  let berth: ConsoleProcess;
  let agent: JoinedAgent;
  let pb: PocketBase;
  let hostId: string;
  let imageId: string;

  beforeAll(async () => {
    berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'off', ...FAST } });
    pb = await setUp(berth.url);
    agent = await startAgent(berth.url, { pb, name: 'local', env: FAST });
    hostId = (await localHost(pb)).id;
    const dockerfile = `FROM ${BASE_IMAGE}\nSTOPSIGNAL SIGKILL\nCMD ["sleep", "3600"]\n`;
    // A busy processor is shared with whoever else tests here.
    await pb.collection('settings').create({ key: 'times', value: { quietCpuPercent: 1 } });
    imageId = (await buildImage(pb, hostId, { name: 'times', dockerfile })).id;
  }, 180_000);
  afterAll(async () => {
    await agent?.dispose();
    await berth?.dispose();
    if (hostId) await cleanHost(hostId);
  }, 60_000);

  async function runs(name: string, command = ''): Promise<RecordModel> {
    const fields = { name, host: hostId, image: imageId, command, idleMinutes: IDLE_MINUTES };
    const { id } = await pb.collection('workspaces').create(fields);
    await request(pb, 'workspace', id, 'start');
    return reaches(pb, { collection: 'workspaces', id, status: 'running', limitMs: 60_000 });
  }
  const read = (id: string) => pb.collection('workspaces').getOne(id);

  it('stops what sleeps and leaves what works or is looked at, also where the console was killed', async () => {
    const asleep = await runs('asleep');
    const busy = await runs('busy', "sh -c 'while :; do :; done'");
    const open = await runs('open');
    const terminal = new WebSocket(`${berth.url.replace('http', 'ws')}/api/workspace/${open.id}/exec`, {
      headers: { authorization: pb.authStore.token },
    });
    await new Promise((resolve, reject) => terminal.once('open', resolve).once('error', reject));

    await eventually('the owner is warned', async () => (await read(asleep.id)).warnedAt !== '', 90_000);
    const notice = await pb.collection('time_notices').getFirstListItem(`workspace = '${asleep.id}'`);
    expect(notice).toMatchObject({ kind: 'idleSoon', name: 'asleep', details: { minutes: IDLE_MINUTES } });
    await berth.kill('SIGKILL');
    expect(terminal.readyState).toBeGreaterThanOrEqual(WebSocket.CLOSING);
    berth = await berth.restart();
    const again = new WebSocket(`${berth.url.replace('http', 'ws')}/api/workspace/${open.id}/exec`, {
      headers: { authorization: pb.authStore.token },
    });
    again.on('error', () => undefined);

    await reaches(pb, { collection: 'workspaces', id: asleep.id, status: 'stopped', limitMs: 90_000 });
    const [last] = await pb
      .collection('deployments')
      .getFullList({ filter: `workspace='${asleep.id}'`, sort: '-number' });
    expect(last!.action).toBe('stop');
    expect(last!.steps[0].message).toBe('Stopped after 5 minutes without use.');
    expect([(await read(busy.id)).status, (await read(open.id)).status]).toEqual(['running', 'running']);
    again.close();
    terminal.close();
    await reaches(pb, { collection: 'workspaces', id: open.id, status: 'stopped', limitMs: 120_000 });
    expect((await read(busy.id)).status).toBe('running');
  }, 400_000);
});
