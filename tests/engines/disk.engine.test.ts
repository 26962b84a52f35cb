import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '@/agent/clock';
import { CleanUp } from '@/agent/disk/clean-up';
import { DockerEngine } from '@/agent/engines/docker/docker-engine';
import type { PruneState } from '@/lib/protocol/disk-streams';
import { eventually } from '../setup/console-process';
import { BASE_IMAGE, ensureBaseImage } from '../setup/docker';
import { type PrivateEngine, startPrivateEngine } from '../setup/private-engine';
import { dockerAbsence, makeBusyboxBuild } from './docker-fixture';

const NONE = { images: [] as string[], buildCache: false };

/** The steps build on each other. */
describe.skipIf(dockerAbsence !== '')('the disk of an engine', () => {
  let engine: PrivateEngine;
  let docker: DockerEngine;
  let cleanUp: CleanUp;
  let isBusy = false;

  beforeAll(async () => {
    engine = await startPrivateEngine();
    docker = new DockerEngine({ dockerHost: engine.address });
    const signal = new AbortController().signal;
    cleanUp = new CleanUp({ engine: docker, clock: systemClock, isBusy: () => isBusy, signal });
    await ensureBaseImage((...args) => engine.docker(...args));
    for (const name of ['used', 'unused']) await make(name);
    await engine.docker('tag', 'team/unused:1', 'team/second-name:1');
    // A container that never ran needs its image as much as any.
    await engine.docker('create', '--network=none', 'team/used:1', 'true');
  }, 120_000);
  afterAll(async () => {
    await docker?.close();
    await engine?.dispose();
  }, 60_000);

  async function make(name: string): Promise<void> {
    const spec = makeBusyboxBuild(`team/${name}:1`, [
      `RUN ["/bin/busybox", "dd", "if=/dev/urandom", "of=/${name}", "bs=1M", "count=3"]`,
    ]);
    const signal = new AbortController().signal;
    await docker.build({ hostId: 'h1', spec, auths: [] }, { log: () => undefined, signal });
  }

  const idOf = (name: string) => engine.docker('image', 'inspect', '-f', '{{.Id}}', name);
  const tagsLeft = async () => (await engine.docker('images', '--format', '{{.Repository}}:{{.Tag}}')).split('\n');

  async function ended(): Promise<PruneState> {
    await eventually('it is over', async () => (await cleanUp.read()).prune?.isRunning === false);
    return (await cleanUp.read()).prune!;
  }

  it('is told: what no container needs, its names and sizes, and what builds left', async () => {
    const use = await cleanUp.read();
    const unused = use.unused.find(({ tags }) => tags.includes('team/unused:1'));
    expect(unused?.tags.toSorted()).toEqual(['team/second-name:1', 'team/unused:1']);
    expect(unused?.sizeBytes).toBeGreaterThan(3 * 1024 * 1024);
    expect(use.unused.some(({ tags }) => tags.includes('team/used:1'))).toBe(false);
    expect(use).toMatchObject({ containers: { count: 1 }, prune: null });
    expect(use.layersBytes).toBeGreaterThan(6 * 1024 * 1024);
    expect(use.buildCache.unusedBytes).toBeLessThanOrEqual(use.buildCache.sizeBytes);
  });

  it('is left alone while builds are under way, and at any other kind of engine', async () => {
    isBusy = true;
    await expect(cleanUp.begin({ ...NONE, images: [await idOf('team/unused:1')] })).rejects.toThrow(/under way/);
    isBusy = false;
    expect(await tagsLeft()).toContain('team/unused:1');
    const other = { ...docker, disk: undefined } as never;
    const none = new CleanUp({
      engine: other,
      clock: systemClock,
      isBusy: () => false,
      signal: new AbortController().signal,
    });
    await expect(none.read()).rejects.toThrow(/does not tell/);
  });

  it('gets free of an image with all its names, and keeps one that a container has come to need', async () => {
    const [used, unused] = [await idOf('team/used:1'), await idOf('team/unused:1')];
    const begun = await cleanUp.begin({ ...NONE, images: [used, unused] });
    expect(begun).toMatchObject({ isRunning: true, asked: 2 });
    await expect(cleanUp.begin({ ...NONE, buildCache: true })).rejects.toThrow('Something is being removed already.');
    expect(await ended()).toMatchObject({ removed: 1, kept: [{ name: used, why: 'A container needs it by now.' }] });
    expect(await tagsLeft()).toEqual(expect.arrayContaining(['team/used:1', BASE_IMAGE]));
    expect((await tagsLeft()).filter((tag) => tag.includes('unused') || tag.includes('second-name'))).toEqual([]);
  });

  it('gets free of what builds left behind', async () => {
    expect((await cleanUp.read()).buildCache.unusedBytes).toBeGreaterThan(0);
    await cleanUp.begin({ ...NONE, buildCache: true });
    const { freedCacheBytes, message } = await ended();
    expect(message).toBe('');
    expect(freedCacheBytes).toBeGreaterThan(3 * 1024 * 1024);
    expect((await cleanUp.read()).buildCache.unusedBytes).toBe(0);
  });

  it('is asked for nothing more once the engine has gone, and says so', async () => {
    await engine.stop();
    await cleanUp.begin({ ...NONE, buildCache: true });
    await eventually('it gave up', async () => (await cleanUp.begin(NONE).catch(() => undefined)) !== undefined);
    await expect(cleanUp.read()).rejects.toThrow(/can't be reached/);
    await engine.start();
  }, 90_000);
});
