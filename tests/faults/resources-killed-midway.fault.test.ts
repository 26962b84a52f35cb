import type PocketBase from 'pocketbase';
import type { RecordModel } from 'pocketbase';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, startConsole, type ConsoleProcess } from '../setup/console-process';
import { docker, ENDS_AT_ONCE, engineIsThere, ensureBaseImage } from '../setup/docker';
import { startAgent, type JoinedAgent } from '../setup/joined-agent';
import { buildImage, cleanHost, containersOf, isRunning, localHost, reaches, request, setUp } from '../setup/journey';

describe.skipIf(!engineIsThere())('an agent that is killed while it makes volumes, networks and containers', () => {
  let berth: ConsoleProcess;
  let agent: JoinedAgent;
  let pb: PocketBase;
  let host: RecordModel;
  let image: RecordModel;

  beforeAll(async () => {
    await ensureBaseImage();
    berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'off' } });
    pb = await setUp(berth.url);
    agent = await startAgent(berth.url, { pb, name: 'local' });
    host = await localHost(pb);
    host = await pb.collection('hosts').update(host.id, { heartbeat_interval_seconds: 1 });
    image = await buildImage(pb, host.id, { name: 'killed-resources', dockerfile: ENDS_AT_ONCE });
  });
  afterAll(async () => {
    await agent?.dispose();
    await berth?.dispose();
    if (host) await cleanHost(host.id);
  });

  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const ours = async (kind: 'volume' | 'network', id: string): Promise<string[]> => {
    const names = await docker(kind, 'ls', '--format', '{{.Name}}', '--filter', `label=berth.id=${id}`);
    return names.split('\n').filter(Boolean);
  };

  it('leaves nothing doubled, and no container without what it asks for', async () => {
    const made: { volume: string; network: string; workspace: string }[] = [];
    for (const delayMs of [0, 30, 60, 100, 150, 250]) {
      const on = { name: `killed-${delayMs}`, host: host.id };
      const volume = (await pb.collection('volumes').create(on)).id;
      const network = (await pb.collection('networks').create(on)).id;
      const { id: workspace } = await pb.collection('workspaces').create({
        ...on,
        image: image.id,
        volumes: [volume],
        volumePaths: { [volume]: { path: '/data' } },
        networks: [network],
      });
      await request(pb, 'workspace', workspace, 'start');
      made.push({ volume, network, workspace });
      await wait(delayMs);
      await agent.kill();
      agent.start();
      await localHost(pb);
    }
    for (const { volume, network, workspace } of made) {
      await reaches(pb, { collection: 'workspaces', id: workspace, status: 'running' });
      await reaches(pb, { collection: 'volumes', id: volume, status: 'created' });
      await reaches(pb, { collection: 'networks', id: network, status: 'created' });
      const [container, ...more] = await containersOf(workspace);
      expect(more).toEqual([]);
      expect(await isRunning(container!)).toBe(true);
      expect(await ours('volume', volume)).toEqual([`berth-volume-${host.id}-${volume}`]);
      expect(await ours('network', network)).toEqual([`berth-network-${host.id}-${network}`]);
      const mounts = await docker('inspect', '-f', '{{range .Mounts}}{{.Name}} {{.Destination}};{{end}}', container!);
      expect(mounts).toBe(`berth-volume-${host.id}-${volume} /data;`);
      const networks = await docker(
        'inspect',
        '-f',
        '{{range $n, $_ := .NetworkSettings.Networks}}{{$n}};{{end}}',
        container!,
      );
      expect(networks).toContain(`berth-network-${host.id}-${network};`);
    }
  }, 120_000);

  it('deletes what it was told to, and keeps the data that nobody gave up', async () => {
    const on = { host: host.id };
    const kept = await pb.collection('volumes').create({ ...on, name: 'kept' });
    const lost = await pb.collection('volumes').create({ ...on, name: 'lost' });
    for (const { id } of [kept, lost]) await reaches(pb, { collection: 'volumes', id, status: 'created' });
    await agent.kill();
    await pb.collection('volumes').delete(kept.id);
    const body = { removeData: true, name: 'lost' };
    await pb.send(`/api/volume/${lost.id}/remove`, { method: 'POST', body });
    agent.start();
    await eventually('the data is gone', async () => (await ours('volume', lost.id)).length === 0);
    expect(await ours('volume', kept.id)).toHaveLength(1);
  }, 60_000);
});
