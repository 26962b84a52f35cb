import type PocketBase from 'pocketbase';
import type { RecordModel } from 'pocketbase';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, startConsole, type ConsoleProcess } from '../setup/console-process';
import { docker, ENDS_AT_ONCE, engineIsThere, ensureBaseImage } from '../setup/docker';
import { buildImage, cleanHost, containersOf, localHost, reaches, request, setUp } from '../setup/journey';

describe.skipIf(!engineIsThere())('acts that cross what is under way', () => {
  let berth: ConsoleProcess;
  let pb: PocketBase;
  let host: RecordModel;
  let image: RecordModel;
  let made = 0;

  beforeAll(async () => {
    await ensureBaseImage();
    berth = await startConsole({ env: { BERTH_LOCAL_AGENT: 'docker' } });
    pb = await setUp(berth.url);
    host = await localHost(pb);
    host = await pb.collection('hosts').update(host.id, { heartbeat_interval_seconds: 1 });
    image = await buildImage(pb, host.id, { name: 'crossed', dockerfile: ENDS_AT_ONCE });
  });
  afterAll(async () => {
    await berth?.dispose();
    if (host) await cleanHost(host.id);
  });

  /** Images of the host that carry the image's own name, and what is nameless and made by this build. */
  const namesOf = (imageId: string) => docker('images', '-q', '--filter', `reference=berth/${imageId}:*`);
  const markedImages = (mark: string) => docker('images', '-aq', '--filter', `label=mark=${mark}`);
  const buildOf = (imageId: string) => pb.collection('builds').getFirstListItem(`image = "${imageId}"`);
  const isGone = async (collection: string, id: string) =>
    (await pb.collection(collection).getFullList({ filter: `id = "${id}"` })).length === 0;
  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

  async function beginBuild(seconds = 0.3): Promise<{ id: string; mark: string }> {
    const mark = `${host.id}-${(made += 1)}`;
    // The step says the mark too: no cache has it.
    const dockerfile = `${ENDS_AT_ONCE}LABEL mark=${mark}\nRUN sleep ${seconds}; echo ${mark}\n`;
    const fields = { name: `c${made}`, build_on: host.id, creationType: 'writeDockerfile', dockerfile };
    const { id } = await pb.collection('images').create(fields);
    await request(pb, 'image', id, 'build');
    return { id, mark };
  }

  /** As the page would show it, for good. */
  async function settled(imageId: string): Promise<RecordModel> {
    return eventually('the build is over', async () => {
      const build = await buildOf(imageId);
      return build.finished === '' ? undefined : build;
    });
  }

  /** How long a build takes on this machine now. */
  async function measureBuild(): Promise<number> {
    const sinceMs = Date.now();
    await settled((await beginBuild()).id);
    return Date.now() - sinceMs;
  }

  it('a cancel as the build finishes is one or the other, for the build, the image, the engine and who waits', async () => {
    const outcomes = new Set<string>();
    const tookMs = await measureBuild();
    for (const part of [0, 0.6, 0.8, 0.9, 1, 3]) {
      const { id, mark } = await beginBuild();
      const { id: waiting } = await pb.collection('workspaces').create({ name: `w-${id}`, host: host.id, image: id });
      await request(pb, 'workspace', waiting, 'start');
      await wait(part * tookMs);
      await request(pb, 'image', id, 'cancelBuild').catch(() => undefined);
      const build = await settled(id);
      outcomes.add(build.status);
      const now = await pb.collection('images').getOne(id);
      expect([now.status, now.statusMessage]).toEqual([build.status, build.statusMessage]);
      if (build.status === 'build_finished') {
        expect(await namesOf(id)).not.toBe('');
        await reaches(pb, { collection: 'workspaces', id: waiting, status: 'running' });
      } else {
        expect(build.status).toBe('build_cancelled');
        await reaches(pb, { collection: 'workspaces', id: waiting, status: 'error' });
        expect([await namesOf(id), await markedImages(mark)]).toEqual(['', '']);
        expect(await containersOf(waiting)).toEqual([]);
        await request(pb, 'image', id, 'build');
        await reaches(pb, { collection: 'images', id, status: 'build_finished' });
      }
    }
    expect([...outcomes].toSorted()).toEqual(['build_cancelled', 'build_finished']);
  }, 90_000);

  it('an image deleted while it builds leaves nothing on the engine, whenever that was', async () => {
    const begun: { id: string; mark: string }[] = [];
    const tookMs = await measureBuild();
    for (const part of [0, 0.3, 0.6, 0.8, 0.9, 1, 1.1]) {
      const one = await beginBuild();
      begun.push(one);
      await wait(part * tookMs);
      await request(pb, 'image', one.id, 'delete');
      expect(await isGone('images', one.id)).toBe(true);
    }
    // Whatever was under way has ended once a build that was asked for later has.
    await buildImage(pb, host.id, { name: 'after', dockerfile: ENDS_AT_ONCE });
    for (const { id, mark } of begun) {
      await eventually(`nothing is left of image ${id}`, async () => {
        const left = [await namesOf(id), await markedImages(mark)].join('');
        return left === '';
      });
    }
  }, 90_000);

  it('a workspace deleted while it deploys, or waits for its build, leaves nothing', async () => {
    const ids: string[] = [];
    for (const delayMs of [0, 20, 60, 120, 250, 500]) {
      const { id } = await pb.collection('workspaces').create({ name: `d${delayMs}`, host: host.id, image: image.id });
      await request(pb, 'workspace', id, 'start');
      await wait(delayMs);
      await request(pb, 'workspace', id, 'delete');
      ids.push(id);
    }
    const building = await beginBuild(3);
    const { id } = await pb.collection('workspaces').create({ name: 'waits', host: host.id, image: building.id });
    await request(pb, 'workspace', id, 'start');
    await request(pb, 'workspace', id, 'delete');
    ids.push(id);
    expect((await settled(building.id)).status).toBe('build_finished');
    for (const each of ids) {
      await eventually(`workspace ${each} is gone`, () => isGone('workspaces', each));
      await eventually(`its container is gone`, async () => (await containersOf(each)).length === 0);
    }
    // A late create would come now.
    await wait(1500);
    for (const each of ids) expect(await containersOf(each)).toEqual([]);
  }, 90_000);
});
