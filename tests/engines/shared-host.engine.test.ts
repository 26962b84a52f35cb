import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DockerEngine } from '@/agent/engines/docker/docker-engine';
import type { BaseImageSpec, JobSpec } from '@/lib/protocol/specs/job';
import { createFixture, type Fixture } from '../agent/agent-fixture';
import { makeHostSpec, makeWorkspaceSpec } from '../agent/specs';
import { docker as run } from '../setup/docker';
import { type PrivateRegistry, registryIsThere, startRegistry } from '../setup/registry';
import { buildBusybox, docker, dockerAbsence, makeBusyboxBuild, removeAll } from './docker-fixture';

const hostId = `h${randomUUID().slice(0, 8)}`;
const name = (text: string) => `berth-test/${hostId}-${text}:1`;
/** Names as agents give them. */
const own = (text: string, number = 1) => `berth/${`${hostId}${text}`.padEnd(15, '0').slice(0, 15)}:${number}`;
const idOf = async (image: string) => (await docker.getImage(image).inspect()).Id;
const isThere = (image: string) => run('images', '-q', image).then((out) => out !== '');

type BuildSpec = Extract<JobSpec, { job: 'build' }>;
const base = (from: string, overrides: Partial<BaseImageSpec> = {}): BaseImageSpec => ({
  from,
  tag: `berth/base:${Buffer.from(from).toString('hex').padEnd(40, '0').slice(-40)}`,
  id: '',
  local: false,
  platform: '',
  ...overrides,
});

describe.skipIf(dockerAbsence !== '')('people who share an engine', () => {
  let fixture: Fixture;
  let jobs = 0;

  beforeAll(async () => {
    fixture = await createFixture(new DockerEngine({ dockerHost: '' }), hostId);
    fixture.console.want(hostId, { kind: 'host', spec: makeHostSpec({ buildWidth: 2 }) });
    // What an agent of before built: its label says so, and its name is what someone chose.
    await buildBusybox(hostId, name('planted'), ['RUN ["/bin/busybox", "touch", "/evil"]']);
    await buildBusybox(hostId, name('golden'), []);
    await run('tag', name('golden'), `${name('golden')}-kept`);
  }, 90_000);
  afterAll(async () => {
    await fixture?.close();
    await removeAll(hostId);
    const left = (await run('images', '--format', '{{.Repository}}:{{.Tag}}')).split('\n');
    for (const tag of left.filter((each) => each.includes(hostId))) await run('rmi', '-f', tag).catch(() => undefined);
  }, 90_000);

  async function perform(spec: JobSpec, status: 'done' | 'error' = 'done') {
    const id = `job${(jobs += 1)}`;
    fixture.console.want(id, { kind: 'job', spec });
    const told = await fixture.console.until(
      () => fixture.console.jobEvents.find((event) => event.id === id && /done|error/.test(event.status)),
      60_000,
    );
    expect(told, told.message).toMatchObject({ status });
    return told;
  }

  function buildOn(tag: string, bases: BaseImageSpec[], lines: string[], more: Partial<BuildSpec> = {}): BuildSpec {
    const froms = bases.map((each) => `FROM ${each.tag}`);
    const dockerfile = [...froms, ...lines, ''].join('\n');
    return { ...makeBusyboxBuild(tag, []), pushAfterBuild: undefined, dockerfile, bases, ...more };
  }
  const LOOK = 'RUN ["/bin/busybox", "test", "!", "-e", "/evil"]';

  it('build on nothing that somebody named like their base', async () => {
    for (const local of [false, true]) {
      const failed = await perform(buildOn(own('a'), [base(name('planted'), { local })], [LOOK]), 'error');
      expect(failed.message).toContain(`${name('planted')} could not be pulled`);
      expect(failed.message).toContain('The host has an image of that name, which is not on its list of local images.');
    }
    expect(await isThere(own('a'))).toBe(false);
    expect(await isThere(name('planted'))).toBe(true);
  }, 90_000);

  it('build on what an admin put on the host and allows', async () => {
    const container = await run('create', name('golden'), '/bin/sh');
    await run('commit', '-c', 'LABEL berth.kind=none', container, name('byhand'));
    await run('rm', container);
    const { imageId } = await perform(buildOn(own('b'), [base(name('byhand'), { local: true })], [LOOK]));
    expect(await idOf(own('b'))).toBe(imageId);
    expect(fixture.console.logText.get(`job${jobs}`)).toContain(
      `${name('byhand')} is the image that the host itself has`,
    );
  }, 90_000);

  it('run and build on what an older agent built, by its id', async () => {
    const id = await idOf(name('golden'));
    await perform(buildOn(own('d'), [base('team/golden:1', { tag: own('c'), id })], [LOOK]));
    const image = { reference: own('e'), tag: own('e'), id, pull: false };
    fixture.console.want('w1', {
      kind: 'workspace',
      spec: makeWorkspaceSpec({ image, command: ['/bin/busybox', 'sleep', '60'] }),
    });
    await fixture.console.untilStatus('w1', 'running');
    expect([await idOf(own('c')), await idOf(own('e'))]).toEqual([id, id]);
  }, 90_000);

  it('share no cache mounts', async () => {
    const lines = (word: string) => [
      `RUN --mount=type=cache,id=pip-${hostId},target=/cache /bin/busybox ls /cache > /seen; echo ${word} > /cache/${word}`,
      'CMD ["/bin/busybox", "cat", "/seen"]',
    ];
    const golden = base('golden', { tag: own('c'), id: await idOf(name('golden')) });
    const seen = async (tag: string, word: string, cacheScope: string) => {
      await perform(buildOn(tag, [golden], lines(word), { cacheScope }));
      return run('run', '--rm', tag);
    };
    expect(await seen(own('f'), 'mine', `${hostId}one`)).toBe('');
    expect(await seen(own('f', 2), 'again', `${hostId}one`)).toBe('mine');
    expect(await seen(own('g'), 'theirs', `${hostId}two`)).toBe('');
  }, 90_000);

  it('run no triggers that take from elsewhere, and no here-documents that this builder takes for instructions', async () => {
    const golden = base('golden', { tag: own('c'), id: await idOf(name('golden')) });
    const trap = `ONBUILD COPY --from=${name('planted')} /evil /evil`;
    const { imageId } = await perform(buildOn(own('h'), [golden], [trap]));
    const on = base('trap', { tag: own('h'), id: imageId });
    const failed = await perform(buildOn(own('i'), [on], []), 'error');
    expect(failed.message).toContain('a trigger takes nothing out of other images');
    const here = await perform(buildOn(own('i'), [golden], [], { hasHereDocuments: true }), 'error');
    expect(here.message).toMatch(/reads no here-documents/);
    const reach = await perform(buildOn(own('i'), [golden], [], { fetches: ['http://localtest.internal/'] }), 'error');
    expect(reach.message).toContain('no address of the internet');
  }, 90_000);

  it("remove only their own names, and no image that another's name stands for", async () => {
    const id = await idOf(name('golden'));
    await run('tag', id, own('k'));
    const spec = { job: 'remove-image', imageId: 'k', timeoutMs: 0, cancel: false } as const;
    const repository = own('k').split(':')[0]!;
    await perform({ ...spec, repository, reference: name('planted'), engineImageId: id });
    expect(await isThere(own('k'))).toBe(false);
    expect([await idOf(name('golden')), await isThere(name('planted'))]).toEqual([id, true]);
  }, 60_000);

  describe.skipIf(!registryIsThere())('and a registry', () => {
    let registry: PrivateRegistry;
    const pull = (reference: string, tag: string, more = {}) =>
      perform({ job: 'pull', imageId: 'p', reference, tag, timeoutMs: 60_000, cancel: false, ...more });
    const signIn = () => ({
      account: { serveraddress: registry.address, username: registry.username, password: registry.password },
    });

    beforeAll(async () => {
      registry = await startRegistry();
    });
    afterAll(() => registry?.dispose());

    it("push and pull without changing what a host's names stand for", async () => {
      const reference = `${registry.address}/${hostId}/app:1`;
      const golden = base('golden', { tag: own('c'), id: await idOf(name('golden')) });
      const push = { reference, ...signIn() };
      const built = await perform(buildOn(own('m'), [golden], ['ENV A=1'], { push }));
      expect(built.digest).toMatch(/^sha256:/);
      expect(await isThere(reference)).toBe(false);

      await run('tag', name('golden'), reference);
      const before = await idOf(reference);
      await perform(buildOn(own('m', 2), [golden], ['ENV A=2'], { push }));
      const pulled = await pull(reference, own('n'), signIn());
      expect(await idOf(reference)).toBe(before);
      expect(pulled.imageId).toBe(await idOf(own('m', 2)));
      await run('rmi', reference);

      const based = await perform(buildOn(own('o'), [base(reference, signIn())], ['ENV B=1']));
      expect(based.imageId).toBe(await idOf(own('o')));
      expect(await isThere(reference)).toBe(false);
      await run('rmi', base(reference).tag);
    }, 120_000);
  });
});
