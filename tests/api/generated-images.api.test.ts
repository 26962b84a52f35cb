import { createHash } from 'node:crypto';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeDb } from '@/db/database';
import { env } from '@/lib/env';
import type { AppError } from '@/lib/errors';
import { files } from '@/lib/files/collection';
import { agentRoutes } from '@/lib/hosts/link/agent-routes';
import { type HostRow, hosts } from '@/lib/hosts/collection';
import { newId } from '@/lib/ids';
import { builds } from '@/lib/images/builds';
import { type ImageRow, images } from '@/lib/images/collection';
import { jobRoutes } from '@/lib/images/job-routes';
import { requestImage } from '@/lib/images/request-image';
import type { DesiredAnswer } from '@/lib/protocol/calls';
import type { JobSpec } from '@/lib/protocol/specs/job';
import { StoreReader, write } from '@/lib/records/transaction';
import { createRecord, updateRecord } from '@/lib/records/writer';
import { seal } from '@/lib/secrets';
import { CHANNEL_IN_USE } from '@/lib/vocabulary/image-schemas';
import { DUPLICATE_FILENAME } from '@/lib/vocabulary/image-words';
import { createHost, createTenant, type UserActor } from './factories';
import { createCaller } from './kernel-caller';
import type { ScriptedAgent } from './scripted-agent';

const call = createCaller([...agentRoutes, ...jobRoutes]);
let agent: ScriptedAgent;
let host: HostRow;
let mara: UserActor;

type BuildSpec = Extract<JobSpec, { job: 'build' }>;

beforeAll(async () => {
  ({ agent, host } = await createHost(call));
  mara = await createTenant(host);
});
afterAll(() => closeDb());

const problem = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error as AppError,
  );
const make = async (body: object = {}) =>
  (await createRecord(images, mara, { body: { name: newId(), build_on: host.id, ...body } })) as ImageRow;
const change = async ({ id }: { id: string }, body: Record<string, unknown>) =>
  (await updateRecord(images, mara, { id, body })) as ImageRow;
const fieldsOf = async (work: Promise<unknown>) => (await problem(work))?.fields;
const build = ({ id }: { id: string }) => requestImage(mara, { imageId: id, action: 'build' });
async function jobOf({ id }: { id: string }): Promise<{ id: string; spec: BuildSpec }> {
  const [newest] = new StoreReader().find(builds, { image: id }, { orderBy: 'number', descending: true });
  const { objects } = (await agent.desired()).json as DesiredAnswer;
  return { id: newest!.id, spec: objects.find((object) => object.id === newest!.id)?.spec as BuildSpec };
}
async function upload(bytes: string | Buffer, name = newId()): Promise<{ id: string; file: string }> {
  const uploads = { file: [{ name: 'x.bin', bytes: Buffer.from(bytes) }] };
  return (await createRecord(files, mara, { body: { name, type: 'upload' }, uploads })) as { id: string; file: string };
}

const conda = { manager: 'conda', name: 'numpy', channel: 'conda-forge' };
const numpy = { manager: 'pypi', name: 'numpy', version: { constraint: 'minimum', specifier: '2' } };
const main = { name: 'main', packages: [numpy] };

describe('an image of lists', () => {
  it('starts from ubuntu:24.04 where nothing else is said', async () => {
    expect(await make()).toMatchObject({ creationType: 'generateDockerfile', baseImage: 'ubuntu:24.04' });
    expect(await fieldsOf(make({ baseImage: '' }))).toMatchObject({ baseImage: { message: 'Cannot be blank.' } });
    expect((await make({ creationType: 'pullAnImage', dockerImageName: 'x' })).baseImage).toBe('');
  });

  it('keeps a channel that a package depends on', async () => {
    const channels = [{ name: 'conda-forge' }];
    const image = await make({ environments: [{ name: 'main', channels, packages: [conda] }] });
    const refused = await fieldsOf(change(image, { environments: [{ name: 'main', packages: [conda] }] }));
    expect(refused).toEqual({
      environments: { 0: { channels: { code: 'validation_in_use', message: CHANNEL_IN_USE } } },
    });
    expect(await fieldsOf(make({ environments: [{ name: 'main', packages: [conda] }] }))).toEqual({
      environments: {
        0: { packages: { 0: { channel: expect.objectContaining({ code: 'validation_invalid_value' }) } } },
      },
    });
    const moved = { channels: ['conda-forge'], environments: [{ name: 'main', packages: [conda] }] };
    expect((await change(image, moved)).channels).toEqual(['conda-forge']);
    expect(await fieldsOf(change(image, { channels: [] }))).toMatchObject({ environments: { 0: { channels: {} } } });
    await change(image, { environments: [{ name: 'main', channels: [], packages: [] }], channels: [] });
  });

  it('has commands in environments that are there', async () => {
    const startupCommands = [{ command: 'python -V', environment: 'other' }];
    expect(await fieldsOf(make({ environments: [main], startupCommands }))).toEqual({
      startupCommands: {
        0: { environment: { code: 'validation_invalid_value', message: 'There is no environment other.' } },
      },
    });
  });

  it('of an older console is read, changed elsewhere and built', async () => {
    const image = await make();
    const former = [
      {
        name: 'main',
        manager: 'pypi',
        channels: [],
        packages: [{ ...numpy, channel: '', constraint: 'minimum', version: '2' }],
      },
    ];
    await write((tx) => tx.patch(images, image.id, { environments: former as never }));
    const shown = await change(image, { description: 'New words' });
    expect(shown.environments).toMatchObject([{ name: 'main', packages: [numpy] }]);
    await build(image);
    const { spec } = await jobOf(image);
    expect(spec.context).toContainEqual(
      expect.objectContaining({ path: '.berth/environments/main.txt', text: 'numpy>=2\n' }),
    );
  });

  it('of an older console is refused at the field where it could not be built', async () => {
    const image = await make();
    const former = [
      { name: 'main', manager: 'pypi', packages: [{ manager: 'pypi', name: 'a', constraint: 'exactly', version: '' }] },
    ];
    await write((tx) => tx.patch(images, image.id, { environments: former as never }));
    expect(await fieldsOf(build(image))).toMatchObject({
      environments: { 0: { packages: { 0: { version: { specifier: { message: 'Cannot be blank.' } } } } } },
    });
  });
});

describe('a build of lists', () => {
  it('carries the Dockerfile and what it reads, and nothing else under the name of it', async () => {
    const startupCommands = [{ command: 'python -V', environment: 'main' }];
    const image = await make({ environments: [main], startupCommands });
    await build(image);
    const { spec } = await jobOf(image);
    expect(spec.dockerfile).toContain(`\nFROM ${spec.bases![0]!.tag}\n`);
    expect(spec.dockerfile).toContain('source=.berth/environments/main.txt');
    expect(spec.context!.map(({ path }) => path)).toEqual([
      '.berth/system.sh',
      '.berth/lock.sh',
      '.berth/environments/main.txt',
      '.berth/startup/start',
      '.berth/startup/environments',
      '.berth/startup/commands/1',
    ]);
    // An agent of before can't read it, so that it says so rather than to build without them.
    expect(spec).not.toHaveProperty('files');
  });

  it('without a context is one that agents of before read', async () => {
    const image = await make();
    await build(image);
    const { spec } = await jobOf(image);
    expect(spec).toMatchObject({ files: [] });
    expect(spec).not.toHaveProperty('context');
  });

  it('takes micromamba out of an image that the builder has to be open to', async () => {
    const image = await make({
      environments: [{ name: 'main', channels: [{ name: 'conda-forge' }], packages: [conda] }],
    });
    await build(image);
    expect((await jobOf(image)).spec.bases).toMatchObject([
      { from: 'ubuntu:24.04' },
      { from: 'mambaorg/micromamba:2.6.1' },
    ]);
    const { micromambaImage } = env();
    Object.assign(env(), { micromambaImage: 'registry.corp/tools/micromamba:1' });
    const closed = { serveraddress: 'registry.corp', username: 'host', password: seal('hush') };
    await write((tx) => tx.patch(hosts, host.id, { registry_auths: [closed] }));
    try {
      await make({ environments: [main] });
      const environments = [{ name: 'main', channels: [{ name: 'conda-forge' }], packages: [conda] }];
      expect(Object.keys((await fieldsOf(make({ environments })))!)).toEqual(['environments']);
    } finally {
      Object.assign(env(), { micromambaImage });
      await write((tx) => tx.patch(hosts, host.id, { registry_auths: [] }));
    }
  });
});

describe('files of an image', () => {
  it('are asked for by their hashes, and only by the host that builds with them', async () => {
    const [script, other] = [await upload('echo hi'), await upload('secret')];
    const written = { creationType: 'writeDockerfile', dockerfile: 'FROM scratch\nCOPY run.sh etc /' };
    const image = await make({ ...written, files: [script.id], filePaths: { [script.id]: '/etc/run.sh' } });
    await build(image);
    const { id, spec } = await jobOf(image);
    const sha256 = createHash('sha256').update('echo hi').digest('hex');
    expect(spec.context).toEqual([
      { from: 'console', path: 'etc/run.sh', mode: 0o644, file: script.id, name: script.file, sizeBytes: 7, sha256 },
    ]);
    expect(JSON.stringify(spec)).not.toContain(Buffer.from('echo hi').toString('base64').slice(0, 8));
    const got = await agent.send('GET', `/api/agent/jobs/${id}/files/${script.id}`);
    expect(got).toMatchObject({ status: 200, headers: { 'content-length': '7', 'cache-control': 'no-store' } });
    expect(await text(got.body as Readable)).toBe('echo hi');
    const stranger = (await createHost(call)).agent;
    for (const [from, path] of [
      [stranger, `/api/agent/jobs/${id}/files/${script.id}`],
      [agent, `/api/agent/jobs/${id}/files/${other.id}`],
      [agent, `/api/agent/jobs/${newId()}/files/${script.id}`],
      [agent, `/api/agent/jobs/${id}/files/..%2F..%2Fberth.db`],
    ] as const) {
      expect((await from.send('GET', path)).status, path).toBe(404);
    }
    expect((await call({ method: 'GET', url: `/api/agent/jobs/${id}/files/${script.id}` })).status).toBe(401);
    await requestImage(mara, { imageId: image.id, action: 'cancelBuild' });
    expect((await agent.send('GET', `/api/agent/jobs/${id}/files/${script.id}`)).status).toBe(404);
  });

  it('that were replaced since are gone in words', async () => {
    const script = await upload('one');
    const image = await make({ files: [script.id], filePaths: { [script.id]: '/run.sh' } });
    await build(image);
    const { id, spec } = await jobOf(image);
    expect(spec.context!.at(-1)).toMatchObject({ path: '.berth/files/run.sh', sizeBytes: 3 });
    const uploads = { file: [{ name: 'y.bin', bytes: Buffer.from('two') }] };
    await updateRecord(files, mara, { id: script.id, body: {}, uploads });
    await expect
      .poll(async () => {
        const answer = await agent.send('GET', `/api/agent/jobs/${id}/files/${script.id}`);
        if (answer.body) await once((answer.body as Readable).resume(), 'close');
        return answer;
      })
      .toMatchObject({ status: 404, json: { message: expect.stringContaining('Build again.') } });
  });

  it('that lie elsewhere are fetched by the host', async () => {
    const body = { name: newId(), type: 'external', url: 'https://example.org/a.bin' };
    const { id } = (await createRecord(files, mara, { body })) as { id: string };
    const image = await make({ files: [id], filePaths: { [id]: '/opt/a.bin' } });
    await build(image);
    expect((await jobOf(image)).spec.context!.at(-1)).toEqual({
      from: 'web',
      path: '.berth/files/opt/a.bin',
      mode: 0o644,
      url: 'https://example.org/a.bin',
      maxBytes: 104_857_600,
    });
  });

  it('have a place each', async () => {
    const [one, two] = [await upload('1'), await upload('2')];
    const slash = await upload('3', `a/${newId()}`);
    const written = { creationType: 'writeDockerfile', dockerfile: 'FROM scratch' };
    const paths = async (filePaths: Record<string, string>, kind: object = written) =>
      (await fieldsOf(make({ ...kind, files: Object.keys(filePaths), filePaths })))?.filePaths;
    expect(await paths({ [one.id]: '/a', [two.id]: '/a' })).toEqual({
      [two.id]: { code: 'validation_duplicate', message: DUPLICATE_FILENAME },
    });
    expect(await paths({ [one.id]: '/a', [two.id]: '/a/b' })).toHaveProperty(one.id);
    expect(await paths({ [one.id]: '/' })).toHaveProperty(one.id);
    expect(await paths({ [one.id]: '/../x' })).toHaveProperty(one.id);
    expect(await paths({ [one.id]: {} as string })).toHaveProperty(one.id);
    expect(await paths({ [one.id]: '/Dockerfile' })).toHaveProperty(one.id);
    expect(await paths({ [one.id]: '/Dockerfile' }, {})).toBeUndefined();
    expect(await paths({ [slash.id]: '' })).toHaveProperty(slash.id);
    expect(await paths({ [slash.id]: '/srv/a', [one.id]: '' })).toBeUndefined();
  });

  it('are no more than 99', async () => {
    const ids = Array.from({ length: 100 }, () => newId());
    expect(Object.keys((await fieldsOf(make({ files: ids })))!)).toEqual(['files']);
  });
});
