import path from 'node:path';
import type PocketBase from 'pocketbase';
import type { ClientResponseError } from 'pocketbase';
import type { RecordModel } from 'pocketbase';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, startConsole, type ConsoleProcess } from '../setup/console-process';
import { docker, ENDS_AT_ONCE, engineIsThere, ensureBaseImage } from '../setup/docker';
import { startAgent, type JoinedAgent } from '../setup/joined-agent';
import { buildImage, cleanHost, containersOf, localHost, reaches, request, setUp, signIn } from '../setup/journey';

const MOVED_CLOCK = path.resolve(import.meta.dirname, '../setup/moved-clock.mjs');
const DAY_MS = 86_400_000;

describe.skipIf(!engineIsThere())('a clock of the console that jumps a day ahead', () => {
  let berth: ConsoleProcess;
  let agent: JoinedAgent;
  let pb: PocketBase;
  let host: RecordModel;
  let image: RecordModel;
  let days = 0;

  beforeAll(async () => {
    await ensureBaseImage();
    berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'off', NODE_OPTIONS: `--import=${MOVED_CLOCK}` } });
    pb = await setUp(berth.url);
    agent = await startAgent(berth.url, { pb, name: 'local' });
    host = await localHost(pb);
    host = await pb.collection('hosts').update(host.id, { heartbeat_interval_seconds: 1 });
    image = await buildImage(pb, host.id, { name: 'clock', dockerfile: ENDS_AT_ONCE });
  });
  afterAll(async () => {
    await agent?.dispose();
    await berth?.dispose();
    if (host) await cleanHost(host.id);
  });

  const seen = () => pb.collection('hosts').getOne(host.id);

  async function jump(): Promise<void> {
    days += 1;
    process.kill(berth.pid, 'SIGUSR2');
    await eventually('the clock has jumped', () => berth.output().includes(`ahead by ${days} days`));
  }

  it('ends no session and no build, loses no host, and starts nothing twice', async () => {
    const { id } = await pb.collection('workspaces').create({ name: 'kept', host: host.id, image: image.id });
    await request(pb, 'workspace', id, 'start');
    await reaches(pb, { collection: 'workspaces', id, status: 'running' });
    const [container] = await containersOf(id);
    const dockerfile = `${ENDS_AT_ONCE}RUN sleep 3; echo ${host.id}\n`;
    const fields = { name: 'across', build_on: host.id, creationType: 'writeDockerfile', dockerfile };
    const across = await pb.collection('images').create(fields);
    await request(pb, 'image', across.id, 'build');
    await reaches(pb, { collection: 'images', id: across.id, status: 'building' });

    await jump();
    expect((await pb.collection('workspaces').getOne(id)).status).toBe('running');
    await reaches(pb, { collection: 'images', id: across.id, status: 'build_finished' });
    await eventually('beats are dated by the clock as it is', async () => {
      const { status, lastHeartbeat } = await seen();
      return status === 'online' && Date.parse(lastHeartbeat) > Date.now() + DAY_MS / 2;
    });
    await request(pb, 'workspace', id, 'stop');
    await reaches(pb, { collection: 'workspaces', id, status: 'stopped' });
    await request(pb, 'workspace', id, 'start');
    await reaches(pb, { collection: 'workspaces', id, status: 'running' });
    expect(await containersOf(id)).toEqual([container]);
    const deployments = await pb.collection('deployments').getFullList({ filter: `workspace = "${id}"` });
    expect(deployments.map(({ action, status }) => [action, status])).not.toContainEqual(['repair', 'succeeded']);
    await pb.collection('users').authRefresh();
    await signIn(berth.url, 'mara');
  }, 60_000);

  it('ends a session after the days that it is good for with a plain refusal, and the host goes on without', async () => {
    for (let day = 0; day < 31; day += 1) await jump();
    expect(await pb.collection('workspaces').getFullList()).toEqual([]);
    const refused = await pb
      .collection('users')
      .authRefresh()
      .catch((error: ClientResponseError) => error);
    expect(refused).toMatchObject({ status: 401 });
    pb = await signIn(berth.url, 'mara');
    await eventually('the host is online', async () => (await seen()).status === 'online');
    const { id } = await pb.collection('workspaces').create({ name: 'later', host: host.id, image: image.id });
    await request(pb, 'workspace', id, 'start');
    await reaches(pb, { collection: 'workspaces', id, status: 'running' });
    expect(await docker('ps', '-q', '--filter', `label=berth.id=${id}`)).not.toBe('');
  }, 60_000);
});
