import type PocketBase from 'pocketbase';
import type { RecordModel } from 'pocketbase';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, startConsole, type ConsoleProcess } from '../setup/console-process';
import { ENDS_AT_ONCE, engineIsThere, ensureBaseImage } from '../setup/docker';
import { startAgent, type JoinedAgent } from '../setup/joined-agent';
import { buildImage, cleanHost, containersOf, reaches, request, setUp } from '../setup/journey';

const HOST = 'delete-away';

describe.skipIf(!engineIsThere())('a delete is kept for an agent that is killed before it hears of it', () => {
  let berth: ConsoleProcess;
  let agent: JoinedAgent;
  let pb: PocketBase;
  let host: RecordModel;
  let image: RecordModel;

  beforeAll(async () => {
    await ensureBaseImage();
    berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'off' } });
    pb = await setUp(berth.url);
    agent = await startAgent(berth.url, { pb, name: HOST });
    host = await eventually('the host is online', async () => {
      const found = await pb.collection('hosts').getFirstListItem(`name = "${HOST}"`);
      return found.status === 'online' && found.engine.reachable ? found : undefined;
    });
    host = await pb.collection('hosts').update(host.id, { heartbeat_interval_seconds: 1 });
    image = await buildImage(pb, host.id, { name: 'delete-away', dockerfile: ENDS_AT_ONCE });
  });

  afterAll(async () => {
    await agent?.dispose();
    await berth?.dispose();
    if (host) await cleanHost(host.id);
  });

  it.each([
    { how: 'asked', query: '' },
    { how: 'forced', query: '?force=1' },
  ])(
    'removes the container of a delete that was $how',
    async ({ how, query }) => {
      const workspace = await pb.collection('workspaces').create({ name: how, host: host.id, image: image.id });
      await request(pb, 'workspace', workspace.id, 'start');
      await reaches(pb, { collection: 'workspaces', id: workspace.id, status: 'running' });
      expect(await containersOf(workspace.id)).toHaveLength(1);
      await agent.kill();
      const path = `/api/workspace/${workspace.id}/request${query}`;
      await pb.send(path, { method: 'POST', body: { action: 'delete' } });
      agent.start();
      await eventually('the container is gone', async () => (await containersOf(workspace.id)).length === 0);
      await eventually('the record is gone', async () => {
        const left = await pb.collection('workspaces').getFullList({ filter: `id = "${workspace.id}"` });
        return left.length === 0;
      });
    },
    60_000,
  );
});
