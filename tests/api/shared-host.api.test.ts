import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { closeDb } from '@/db/database';
import { type HostRow, hosts } from '@/lib/hosts/collection';
import { agentRoutes } from '@/lib/hosts/link/agent-routes';
import { builds } from '@/lib/images/builds';
import { type ImageRow, images } from '@/lib/images/collection';
import { requestImage } from '@/lib/images/request-image';
import type { AppError } from '@/lib/errors';
import { newId } from '@/lib/ids';
import type { DesiredAnswer } from '@/lib/protocol/calls';
import type { JobSpec } from '@/lib/protocol/specs/job';
import { StoreReader, write } from '@/lib/records/transaction';
import { createRecord, updateRecord } from '@/lib/records/writer';
import { seal } from '@/lib/secrets';
import type { RegistryAuth } from '@/lib/vocabulary/host';
import { requestWorkspace } from '@/lib/workspaces/request-workspace';
import { grantTo } from '../setup/world';
import { createHost, createImage, createTenant, createUser, createWorkspace, type UserActor } from './factories';
import { createCaller } from './kernel-caller';
import { makeJobEvent, type ScriptedAgent } from './scripted-agent';

const call = createCaller(agentRoutes);
let agent: ScriptedAgent;
let host: HostRow;
let admin: UserActor;
let mara: UserActor;
let eve: UserActor;

type BuildSpec = Extract<JobSpec, { job: 'build' }>;
const problem = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error as AppError,
  );
const build = (actor: UserActor, { id }: ImageRow) => requestImage(actor, { imageId: id, action: 'build' });
const writeOwn = (dockerfile: string, owner: UserActor, overrides: Partial<ImageRow> = {}) =>
  createImage({
    build_on: host.id,
    created_by: owner.id,
    creationType: 'writeDockerfile',
    dockerfile,
    status: '',
    imageId: '',
    buildNumber: 0,
    ...overrides,
  });
async function jobOf<S extends JobSpec = BuildSpec>({ id }: ImageRow): Promise<S> {
  const [newest] = new StoreReader().find(builds, { image: id }, { orderBy: 'number', descending: true });
  const { objects } = (await agent.desired()).json as DesiredAnswer;
  return objects.find((object) => object.id === newest?.id)?.spec as S;
}
const setHost = (patch: Partial<HostRow>) => write((tx) => (host = tx.patch(hosts, host.id, patch)!));
const account = (opened: Partial<RegistryAuth> = {}): RegistryAuth => ({
  serveraddress: 'https://registry.corp/v2/',
  username: 'host',
  password: seal('hush'),
  ...opened,
});

beforeAll(async () => {
  admin = await createUser({ isAdmin: true });
});
beforeEach(async () => {
  ({ agent, host } = await createHost(call));
  [mara, eve] = [await createTenant(host), await createTenant(host)];
});
afterAll(() => closeDb());

describe("names of other people's images", () => {
  it('are no base for who may not deploy them, in no instruction and no spelling', async () => {
    await createImage({ build_on: host.id, created_by: mara.id, repository: 'berth/secret', tag: '1' });
    const { id } = await createImage({ build_on: host.id, created_by: mara.id });
    for (const source of [
      'FROM berth/secret:1',
      'FROM docker.io/berth/secret:1',
      'ARG X=secret\nFROM berth/${X}:1',
      'FROM scratch\nCOPY --from=berth/secret:1 / /',
      'FROM scratch\nRUN --mount=from=berth/secret:1,target=/x true',
      `FROM berth/${id}:1`,
    ]) {
      const refused = await problem(build(eve, await writeOwn(source, eve)));
      expect(refused?.fields, source).toMatchObject({ dockerfile: { code: 'validation_invalid_dockerfile' } });
      expect(refused?.message).toMatch(/^Line \d: there is no image .* that you may build on\.$/);
    }
    expect(new StoreReader().find(builds, { created_by: eve.id })).toEqual([]);
  });

  it('that look like those of a registry are taken from there', async () => {
    for (const repository of ['other/private', 'docker.io/ubuntu']) {
      await createImage({ build_on: host.id, created_by: mara.id, repository, tag: '1' });
    }
    const image = await writeOwn('FROM other/private:1\nFROM ubuntu:1', eve);
    await build(eve, image);
    const { bases, dockerfile } = await jobOf(image);
    expect(bases).toMatchObject([
      { from: 'other/private:1', id: '', local: false },
      { from: 'ubuntu:1', id: '', local: false },
    ]);
    expect(dockerfile).toBe(`# escape=\\\nFROM ${bases![0]!.tag}\nFROM ${bases![1]!.tag}\n`);
  });

  it("are that image's own build for who may deploy it, but never the name of a registry's own image", async () => {
    const base = await createImage({ build_on: host.id, created_by: mara.id, repository: 'team/base', tag: '1' });
    const planted = await createImage({ build_on: host.id, created_by: mara.id, repository: 'python', tag: '3' });
    for (const on of [base, planted]) await grantTo(eve, 'image', { on, flags: ['deploy'] });
    const image = await writeOwn('FROM docker.io/team/base:1\nFROM python:3', eve);
    await build(eve, image);
    expect((await jobOf(image)).bases).toMatchObject([
      { tag: `berth/${base.id}:1`, id: 'sha256:1', local: false },
      { from: 'python:3', id: '', local: false },
    ]);
  });

  it('do not become those of a build: it has a name of its own, and the chosen one is pushed alone', async () => {
    const image = await writeOwn('FROM scratch', admin, { repository: 'team/base', tag: '1', push_after_build: true });
    await build(admin, image);
    expect(await jobOf(image)).toMatchObject({ reference: `berth/${image.id}:1`, push: { reference: 'team/base:1' } });
    await setHost({ push_timeout: 90 });
    const again = await writeOwn('FROM scratch', admin, { repository: 'team/base', tag: '2', push_after_build: true });
    await build(admin, again);
    expect(await jobOf(again)).toMatchObject({ push: { reference: 'team/base:2', timeoutMs: 90_000 } });
    // An agent of the version before can't read it, so that it says so rather than to build otherwise.
    expect(await jobOf(image)).not.toHaveProperty('pushAfterBuild');
  });

  it('are not to be had in another spelling, nor those that hosts give', async () => {
    const other = await createImage({ build_on: host.id, created_by: mara.id, repository: 'team/base', tag: '1' });
    const save = (body: object) =>
      createRecord(images, eve, {
        body: {
          name: newId(),
          build_on: host.id,
          creationType: 'writeDockerfile',
          dockerfile: 'FROM scratch',
          ...body,
        },
      });
    for (const repository of ['docker.io/team/base', 'index.docker.io/team/base']) {
      const taken = await problem(save({ repository, tag: '1' }));
      expect(taken?.fields).toMatchObject({ repository: { code: 'validation_not_unique' } });
    }
    expect((await problem(save({ repository: `berth/${other.id}`, tag: '2' })))?.fields).toHaveProperty('repository');
  });

  it("stay when one's own image goes", async () => {
    const old = { build_on: host.id, status: 'build_finished', imageId: 'sha256:same', buildNumber: 1 };
    await createImage({ ...old, created_by: mara.id, repository: 'x/y', tag: '1' });
    const own = await createImage({ ...old, created_by: eve.id, repository: 'docker.io/x/y', tag: '1' });
    await requestImage(eve, { imageId: own.id, action: 'delete' });
    const { objects } = (await agent.desired()).json as DesiredAnswer;
    const job = objects.find(({ kind }) => kind === 'job')?.spec as JobSpec;
    expect(job).toMatchObject({ repository: `berth/${own.id}`, reference: `berth/${own.id}:1`, engineImageId: '' });
  });

  it('that only the host has are for those whom an admin lets', async () => {
    const source = 'FROM golden:1';
    const [first, second, third] = [
      await writeOwn(source, eve),
      await writeOwn(source, eve),
      await writeOwn(source, admin),
    ];
    await build(eve, first);
    expect((await jobOf(first)).bases).toMatchObject([{ local: false }]);
    await setHost({ local_images: ['docker.io/library/golden'] });
    await build(eve, second);
    expect((await jobOf(second)).bases).toMatchObject([{ local: true }]);
    await setHost({ local_images: [] });
    await build(admin, third);
    expect((await jobOf(third)).bases).toMatchObject([{ local: true }]);
    const tags = await Promise.all([first, third].map(async (image) => (await jobOf(image)).bases![0]!.tag));
    expect(tags[0]).not.toBe(tags[1]);
  });
});

describe("the host's registry accounts", () => {
  const pulled = (owner: UserActor, dockerImageName = 'registry.corp/prod/app:1') =>
    writeOwn('', owner, { creationType: 'pullAnImage', dockerImageName });
  const pushed = (owner: UserActor, repository: string) =>
    writeOwn('FROM scratch', owner, { repository, tag: newId(), push_after_build: true });

  it('are for who manages the host, until they are opened', async () => {
    await setHost({ registry_auths: [account()] });
    const refused = await problem(build(eve, await pulled(eve)));
    expect(refused?.fields).toMatchObject({ dockerImageName: { code: 'validation_not_allowed' } });
    expect(refused?.message).toContain('registry.corp/prod/app');
    const push = await problem(build(eve, await pushed(eve, 'registry.corp/prod/app')));
    expect(push?.fields).toMatchObject({ push_after_build: { code: 'validation_not_allowed' } });
    const from = await problem(build(eve, await writeOwn('FROM registry.corp/prod/app:1', eve)));
    expect(from?.fields).toHaveProperty('dockerfile');
    const own = await pulled(admin);
    await build(admin, own);
    expect(await jobOf<JobSpec>(own)).toMatchObject({ account: { username: 'host', password: 'hush' } });
  });

  it('are opened by the beginnings of repositories, for pulling and pushing apart, to all or to some', async () => {
    await setHost({
      registry_auths: [account({ pullRepositories: ['prod/base'], pushRepositories: ['dev'], pushUsers: [eve.id] })],
    });
    const may = async (actor: UserActor, image: ImageRow) => (await problem(build(actor, image))) === undefined;
    expect(await may(eve, await pulled(eve, 'Registry.Corp:443/prod/base/python:3'))).toBe(true);
    expect(await may(eve, await pulled(eve, 'registry.corp/prod/baseless:3'))).toBe(false);
    expect(await may(eve, await pushed(eve, 'registry.corp/dev/app'))).toBe(true);
    expect(await may(eve, await pushed(eve, 'registry.corp/prod/base'))).toBe(false);
    expect(await may(mara, await pushed(mara, 'registry.corp/dev/app'))).toBe(false);
    expect(await may(eve, await pushed(eve, 'elsewhere.corp/dev/app'))).toBe(false);
    expect(await may(eve, await pulled(eve, 'redis:7'))).toBe(true);
  });

  it('go with the job that needs them, and no other', async () => {
    const other = account({ serveraddress: 'other.corp', username: 'other' });
    await setHost({ registry_auths: [account({ pullRepositories: ['*'] }), other] });
    const image = await writeOwn('FROM registry.corp/a:1\nFROM scratch', eve);
    await build(eve, image);
    const { objects } = (await agent.desired()).json as DesiredAnswer;
    expect(JSON.stringify(objects)).not.toContain('other');
    expect((await jobOf(image)).bases).toMatchObject([{ account: { username: 'host', password: 'hush' } }]);
  });

  it('are asked for when a record is saved, at the field that names the repository', async () => {
    await setHost({ registry_auths: [account()] });
    const save = (body: object) =>
      createRecord(images, eve, {
        body: { name: newId(), build_on: host.id, creationType: 'writeDockerfile', ...body },
      });
    const fields = async (body: object) => Object.keys((await problem(save(body)))?.fields ?? {});
    const name = 'registry.corp/prod/app';
    expect(await fields({ creationType: 'pullAnImage', dockerImageName: name })).toEqual(['dockerImageName']);
    const dockerfile = 'FROM scratch';
    expect(await fields({ dockerfile, repository: name, push_after_build: true })).toEqual(['push_after_build']);
    expect(await fields({ dockerfile: `FROM ${name}` })).toEqual(['dockerfile']);
    expect(await fields({ dockerfile: 'FROM scratch\nADD http://127.0.0.1/ /' })).toEqual(['dockerfile']);
    expect(await fields({ creationType: 'generateDockerfile', baseImage: name })).toEqual(['baseImage']);
  });

  it('are refused at their own fields, and keep their passwords', async () => {
    const opened = { ...account({ pullRepositories: ['a b'] }), password: 'new' };
    const refused = await problem(updateRecord(hosts, admin, { id: host.id, body: { registry_auths: [opened] } }));
    expect(refused?.fields).toMatchObject({
      registry_auths: { 0: { pullRepositories: { 0: { code: expect.any(String) } } } },
    });
    const local = await problem(updateRecord(hosts, admin, { id: host.id, body: { local_images: ['A:B:C'] } }));
    expect(local?.fields).toMatchObject({ local_images: { 0: { code: expect.any(String) } } });
    expect(
      (await problem(updateRecord(hosts, eve, { id: host.id, body: { local_images: ['a'] } })))?.code,
    ).toBeDefined();
  });

  it("of another host are not a deployer's", async () => {
    const image = await createImage({
      build_on: host.id,
      created_by: eve.id,
      creationType: 'pullAnImage',
      dockerImageName: 'registry.corp/prod/app:1',
    });
    const { host: other } = await createHost(call);
    await grantTo(eve, 'host', { on: other, flags: ['canCreateWorkspaces'] });
    await write((tx) => tx.patch(hosts, other.id, { registry_auths: [account()] }));
    const workspace = await createWorkspace({ host: other.id, image: image.id, created_by: eve.id });
    const refused = await problem(requestWorkspace(eve, { workspaceId: workspace.id, action: 'start' }));
    expect(refused?.fields).toMatchObject({ image: { code: 'validation_not_allowed' } });
  });
});

describe("a host's queue", () => {
  it('takes so many builds of one person, and more of others', async () => {
    await setHost({ queued_builds_per_person: 2 });
    const [first] = [await writeOwn('FROM scratch', eve), await build(eve, await writeOwn('FROM scratch', eve))];
    await build(eve, first);
    const refused = await problem(build(eve, await writeOwn('FROM scratch', eve)));
    expect(refused?.fields).toMatchObject({ build_on: { code: 'validation_too_many_builds' } });
    expect(refused?.message).toContain('You have 2 builds under way');
    const hers = await writeOwn('FROM scratch', mara);
    await build(mara, hers);
    expect((await jobOf(hers)).owner).toBe(mara.id);
    const [mine] = new StoreReader().find(builds, { image: first.id });
    await agent.report({ jobs: [makeJobEvent({ id: mine!.id, status: 'error' })] });
    await build(eve, first);
  });
});
