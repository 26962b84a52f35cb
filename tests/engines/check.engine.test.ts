import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cancelCheck, checkImage, checkSchema } from '@/lib/images/check/check-image';
import { listChecksOf, readCheck } from '@/lib/images/check/kept-checks';
import { readJobLog } from '@/lib/images/read-build-log';
import type { UserActor } from '../api/factories';
import { createTenant } from '../api/factories';
import { docker } from '../setup/docker';
import { PYTHON_BASE_IMAGE, pythonBaseObstacle } from '../setup/python-base';
import { type BuiltImages, startBuiltImages } from './built-images';
import { dockerAbsence } from './docker-fixture';

const obstacle = dockerAbsence || pythonBaseObstacle();
if (obstacle !== '' && process.env.CI === 'true') throw new Error(`Checks can't be tested: ${obstacle}`);

const pypi = (name: string, specifier = '') => {
  return { manager: 'pypi', name, version: { constraint: specifier ? 'exactly' : 'unconstrained', specifier } };
};
let world: BuiltImages;
let mara: UserActor;

async function check(environments: object[]): Promise<{ id: string; status: string; message: string; log: string }> {
  const asked = checkSchema.parse({ build_on: world.hostId, baseImage: PYTHON_BASE_IMAGE, environments });
  const { id } = await checkImage(mara, asked);
  const statusOf = () => readCheck(id)!.status;
  const signal = AbortSignal.timeout(100_000);
  let log = '';
  for await (const { text } of readJobLog(id, { after: 0, follow: true, signal, statusOf })) log += text;
  const { status, message } = readCheck(id)!;
  return { id, status, message, log };
}

describe.skipIf(obstacle !== '')('a check on Docker', () => {
  beforeAll(async () => {
    world = await startBuiltImages([
      { module: 'demo', version: '1.0' },
      { module: 'demo', version: '2.0' },
      { module: 'app', version: '1.0', requires: ['demo<2'] },
    ]);
    mara = await createTenant({ id: world.hostId });
  }, 120_000);

  afterAll(() => world?.dispose(), 60_000);

  it('says that all can be had, and leaves no image', async () => {
    const { id, status, log } = await check([
      { name: 'main', packages: [pypi('app')] },
      { name: 'bare', packages: [] },
    ]);
    expect(status, log).toBe('build_finished');
    expect(log).toContain('Would install app-1.0 demo-1.0');
    expect(await docker('images', '-q', `berth/${id}`)).toBe('');
  }, 120_000);

  it('says in words what conflicts with what, and in which environment', async () => {
    const { status, message, log } = await check([
      { name: 'fine', packages: [pypi('demo')] },
      { name: 'clashing', packages: [pypi('app', '1.0'), pypi('demo', '2.0')] },
    ]);
    expect([status, message], log).toEqual([
      'error',
      'Environment clashing: demo==2.0 is asked for, but app 1.0 needs demo<2.',
    ]);
  }, 120_000);

  it('says what micromamba says of its part', async () => {
    const clash = { manager: 'conda', name: 'clash' };
    const { status, message } = await check([{ name: 'science', packages: [clash] }]);
    expect([status, message]).toEqual([
      'error',
      'Environment science: clash =* * does not exist (perhaps a typo or a missing channel).',
    ]);
    expect((await check([{ name: 'science', packages: [{ ...clash, name: 'samtools' }] }])).status).toBe(
      'build_finished',
    );
  }, 120_000);

  it('stops when it is cancelled', async () => {
    const environments = [{ name: 'main', packages: [pypi('endless')] }];
    const release = world.index.hold('endless');
    const running = check(environments);
    await expect.poll(() => world.index.asked.includes('/simple/endless/'), { timeout: 60_000 }).toBe(true);
    const only = listChecksOf(mara.id)[0]!;
    await expect(check(environments)).rejects.toMatchObject({ fields: { build_on: {} } });
    await cancelCheck(mara, only.id);
    expect((await running).status).toBe('build_cancelled');
    release();
  }, 120_000);
});
