import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builds } from '@/lib/images/builds';
import { keepLock } from '@/lib/images/locks/kept-locks';
import { lockOfBuild } from '@/lib/images/locks/lock-of-build';
import { requestImage } from '@/lib/images/request-image';
import { system } from '@/lib/policies/actor';
import { StoreReader, write } from '@/lib/records/transaction';
import { createRecord, updateRecord } from '@/lib/records/writer';
import { AS_USUAL } from '@/lib/vocabulary/redeploy';
import { workspaces } from '@/lib/workspaces/collection';
import { requestWorkspace } from '@/lib/workspaces/request-workspace';
import { images } from '@/lib/images/collection';
import { compareLocks } from '@/lib/vocabulary/build-lock';
import { docker } from '../setup/docker';
import { PYTHON_BASE_IMAGE, pythonBaseObstacle } from '../setup/python-base';
import { type BuiltImages, expectBuilt, startBuiltImages } from './built-images';
import { dockerAbsence } from './docker-fixture';

const obstacle = dockerAbsence || pythonBaseObstacle();
if (obstacle !== '' && process.env.CI === 'true') throw new Error(`Locks can't be tested: ${obstacle}`);

const pypi = (name: string, constraint = 'unconstrained', specifier = '') => {
  return { manager: 'pypi', name, version: { constraint, specifier } };
};
const versionsOf = (buildId: string) =>
  lockOfBuild(system, buildId).lock.environments.map(({ name, packages }) => [
    name,
    ...packages.filter((each) => !/^(pip|setuptools)$/.test(each.name)).map((each) => `${each.name} ${each.version}`),
  ]);
let world: BuiltImages;

describe.skipIf(obstacle !== '')('the lock of a build on Docker', () => {
  beforeAll(async () => {
    world = await startBuiltImages([
      { module: 'demo', version: '1.0' },
      { module: 'demo', version: '1.4.2', requires: ['demo-part>=1'] },
      { module: 'demo_part', version: '1.1' },
    ]);
  }, 120_000);

  afterAll(() => world?.dispose(), 60_000);

  it('has what was resolved, and a build from it comes to the same while the index has gone on', async () => {
    const image = await world.make({
      environments: [
        { name: 'main', packages: [pypi('demo')] },
        { name: 'other', packages: [] },
      ],
      userConfiguration: { isAdded: true },
    });
    const first = expectBuilt(await world.build(image));
    expect(versionsOf(first.id)).toEqual([['main', 'demo 1.4.2', 'demo-part 1.1'], ['other']]);
    const { lock } = lockOfBuild(system, first.id);
    const baseId = await docker('inspect', '-f', '{{.Id}}', PYTHON_BASE_IMAGE);
    expect(lock.bases).toEqual([{ name: PYTHON_BASE_IMAGE, imageId: baseId, digest: '' }]);
    expect(lock.environments[0]!.python).toMatch(/^3\.\d+\.\d+/);
    await world.index.add({ module: 'demo', version: '2.0' });
    await world.index.add({ module: 'demo_part', version: '1.2' });
    // What it is made from now has other lists: the lock is of before.
    const body = { environments: [{ name: 'main', packages: [pypi('demo', 'minimum', '1.5')] }] };
    await updateRecord(images, system, { id: image.id, body });
    const newer = expectBuilt(await world.build(image));
    expect(versionsOf(newer.id)).toEqual([['main', 'demo 2.0']]);
    const again = expectBuilt(await world.build(image, first.number));
    expect(lockOfBuild(system, again.id).lock).toEqual(lock);
    expect(new StoreReader().get(builds, again.id)).toMatchObject({ lockOf: first.number, hasLock: true });
    const { changes } = compareLocks(lockOfBuild(system, newer.id).lock, lock);
    expect(changes.map(({ environment, name, from, to }) => [environment, name, from, to])).toEqual([
      ['main', 'demo', '2.0', '1.4.2'],
      ['main', 'demo-part', '', '1.1'],
      ['other', 'Python', '', lock.environments[0]!.python],
      expect.arrayContaining(['other', 'pip']),
      expect.arrayContaining(['other', 'setuptools']),
    ]);
  }, 120_000);

  it('says which version is gone from the index', async () => {
    const environments = [{ name: 'alone', packages: [pypi('demo', 'exactly', '1.0')] }];
    const image = await world.make({ environments });
    const first = expectBuilt(await world.build(image));
    world.index.remove({ module: 'demo', version: '1.0' });
    const { status, message } = await world.build(image, first.number);
    const words = 'A version of the lock is gone. Environment alone: nothing fits demo==1.0, the index has 1.4.2, 2.0.';
    expect([status, message]).toEqual(['error', words]);
  }, 120_000);

  it('is kept to, or the build fails and names what differs', async () => {
    const environments = [{ name: 'other', packages: [pypi('demo', 'exactly', '1.4.2')] }];
    const image = await world.make({ environments });
    const first = expectBuilt(await world.build(image));
    const { lock } = lockOfBuild(system, first.id);
    const made = lock.environments[0]!;
    // As if the base had another Python by now.
    const other = { ...lock, environments: [{ ...made, python: '3.0.1' }] };
    await write((tx) => keepLock(tx, { buildId: first.id, hostId: world.hostId, lock: other }));
    const { status, message } = await world.build(image, first.number);
    expect([status, message]).toEqual([
      'error',
      'Environment other: the lock has, and this build has not: python 3.0.1\n' +
        `this build has, and the lock has not: python ${made.python}\n` +
        'the build did not come to the versions of its lock.',
    ]);
  }, 120_000);

  it('has the addresses of what conda put in, and gives them to it again', async () => {
    const conda = { manager: 'conda', name: 'samtools', channel: 'bioconda' };
    const channels = [{ name: 'bioconda' }];
    const image = await world.make({ environments: [{ name: 'science', channels, packages: [conda, pypi('demo')] }] });
    const first = expectBuilt(await world.build(image));
    const found = lockOfBuild(system, first.id).lock.environments[0]!.packages;
    expect(found.find(({ name }) => name === 'samtools')).toEqual({
      manager: 'conda',
      name: 'samtools',
      version: '1.4',
      build: '0',
      channel: 'https://conda.test/main',
      url: 'https://conda.test/main/linux-64/samtools-1.4-0.tar.bz2',
      hash: '0'.repeat(32),
    });
    const again = expectBuilt(await world.build(image, first.number));
    expect(lockOfBuild(system, again.id).lock).toEqual(lockOfBuild(system, first.id).lock);
  }, 120_000);

  it('is what a workspace gets that goes back to an earlier build', async () => {
    const image = await world.make({ environments: [{ name: 'main', packages: [pypi('demo', 'exactly', '1.4.2')] }] });
    const first = expectBuilt(await world.build(image));
    const environments = [{ name: 'main', packages: [pypi('demo', 'exactly', '2.0')] }];
    await updateRecord(images, system, { id: image.id, body: { environments } });
    expectBuilt(await world.build(image));
    const body = { name: image.name, host: world.hostId, image: image.id, command: 'sleep 600' };
    const { id } = (await createRecord(workspaces, system, { body })) as { id: string };
    const version = async () => {
      const [container = ''] = (await docker('ps', '-q', '-f', `label=berth.id=${id}`)).split('\n');
      return docker('exec', container, 'python', '-c', 'import demo; print(demo.VERSION)').catch(() => '');
    };
    await requestWorkspace(system, { workspaceId: id, action: 'start' });
    await expect.poll(version, { timeout: 30_000 }).toBe('2.0');
    const back = { ...AS_USUAL, build: first.number };
    await requestWorkspace(system, { workspaceId: id, action: 'redeploy', options: back });
    await expect.poll(version, { timeout: 30_000 }).toBe('1.4.2');
    await expect.poll(() => new StoreReader().get(workspaces, id)?.status, { timeout: 30_000 }).toBe('running');
    // Someone takes the other build away by hand: the container goes on, and why is said.
    await docker('rmi', '-f', `berth/${image.id}:2`);
    await requestWorkspace(system, { workspaceId: id, action: 'redeploy', options: { ...AS_USUAL, build: 2 } });
    await expect.poll(() => new StoreReader().get(workspaces, id)?.status, { timeout: 30_000 }).toBe('error');
    expect(new StoreReader().get(workspaces, id)?.statusMessage).toContain('is not on this host. Build it again.');
    expect(await version()).toBe('1.4.2');
  }, 150_000);

  it('is refused where there is none', async () => {
    const image = await world.make({ environments: [] });
    const ask = requestImage(system, { imageId: image.id, action: 'build', lockOf: 7 });
    await expect(ask).rejects.toMatchObject({
      fields: { lockOf: { message: 'Nothing is kept of what build 7 has resolved.' } },
    });
  });
});
