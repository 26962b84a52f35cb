import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { getDb } from '@/db/database';
import { agentRoutes } from '@/lib/hosts/link/agent-routes';
import type { HostRow } from '@/lib/hosts/collection';
import { images } from '@/lib/images/collection';
import { jobRoutes } from '@/lib/images/job-routes';
import { requestImage } from '@/lib/images/request-image';
import type { AppError } from '@/lib/errors';
import type { DesiredAnswer } from '@/lib/protocol/calls';
import { jobSpecSchema } from '@/lib/protocol/specs/job';
import { createRecord, updateRecord } from '@/lib/records/writer';
import { closeDb } from '@/db/database';
import { createHost, createTenant, createUser, readImage, type UserActor } from './factories';
import { createCaller } from './kernel-caller';
import type { ScriptedAgent } from './scripted-agent';

const call = createCaller([...agentRoutes, ...jobRoutes]);
let agent: ScriptedAgent;
let host: HostRow;
let owner: UserActor;

const DOCKERFILE = [
  'ARG BASE=debian:12',
  'FROM ${BASE}',
  'ARG VERSION="1 2" OTHER',
  'RUN --mount=type=secret,id=token --mount=type=secret,target=/root/.netrc cat /run/secrets/token',
  '',
].join('\n');
const SECRET = 'hush-hush-4711';

beforeAll(async () => {
  ({ agent, host } = await createHost(call));
  owner = await createTenant(host);
});
afterAll(() => closeDb());

let count = 0;
const make = async (body: object, actor = owner) => {
  const input = {
    name: `given-${(count += 1)}`,
    build_on: host.id,
    creationType: 'writeDockerfile',
    dockerfile: DOCKERFILE,
  };
  return (await createRecord(images, actor, { body: { ...input, ...body } })) as { id: string };
};
const fieldsOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => (error as AppError).fields,
  );
const build = (imageId: string) => requestImage(owner, { imageId, action: 'build' });
const jobs = async () =>
  ((await agent.desired()).json as DesiredAnswer).objects.filter(({ kind, spec }) => kind === 'job' && spec !== null);

describe('build arguments', () => {
  it('reach the agent, and stand for what the Dockerfile starts from', async () => {
    const buildArguments = [
      { name: 'BASE', value: 'debian:13' },
      { name: 'VERSION', value: '3 "; RUN id\nRUN id' },
    ];
    const { id } = await make({ buildArguments });
    await build(id);
    const [job] = (await jobs()).slice(-1) as unknown as [{ spec: { dockerfile: string } }];
    expect(job.spec).toMatchObject({
      parameters: { pullBase: false, arguments: buildArguments, secrets: [] },
      bases: [{ from: 'debian:13' }],
    });
    expect(job.spec.dockerfile).not.toContain('RUN id');
    // An agent of the version before can't read it, so that it says so rather than to build without them.
    expect(job.spec).not.toHaveProperty('pullBase');
  });

  it('are refused where the Dockerfile has none of the name, or the builder gives it', async () => {
    const refused = (name: string, more: object = {}) =>
      fieldsOf(make({ buildArguments: [{ name, value: 'x' }], ...more }));
    for (const name of [
      'NOT_THERE',
      'BUILDKIT_SYNTAX',
      'buildkit_syntax',
      'TARGETARCH',
      'A B',
      '1A',
      'A=B',
      'A\nRUN id',
      '',
    ]) {
      expect(await refused(name), name).toMatchObject({ buildArguments: { 0: { name: {} } } });
    }
    expect(await refused('VERSION', { creationType: 'generateDockerfile' })).toMatchObject({
      buildArguments: { message: 'Only a written Dockerfile takes them.' },
    });
    const twice = [1, 2].map((value) => ({ name: 'VERSION', value: String(value) }));
    expect(await fieldsOf(make({ buildArguments: twice }))).toMatchObject({
      buildArguments: { 1: { name: { message: 'Duplicate build argument.' } } },
    });
    expect(jobSpecSchema.safeParse(await parametersOf('BUILDKIT_SYNTAX')).success).toBe(false);
    expect(jobSpecSchema.safeParse(await parametersOf('VERSION')).success).toBe(true);
  });

  /** What an agent would read of a job with an argument of that name. */
  async function parametersOf(name: string): Promise<object> {
    const { id } = await make({ buildArguments: [{ name: 'VERSION', value: '1' }] });
    await build(id);
    const [job] = (await jobs()).slice(-1) as unknown as [{ spec: { parameters: object } }];
    return { ...job.spec, parameters: { ...job.spec.parameters, arguments: [{ name, value: 'x' }] } };
  }

  it('go out of a change of the Dockerfile that has them no more', async () => {
    const { id } = await make({ buildArguments: [{ name: 'OTHER', value: 'x' }] });
    const change = updateRecord(images, owner, { id, body: { dockerfile: 'FROM scratch\n' } });
    expect(await fieldsOf(change)).toMatchObject({ buildArguments: { 0: { name: {} } } });
  });
});

describe('build secrets', () => {
  it('are sealed, never answered, kept by an empty value, and opened for the agent alone', async () => {
    const made = await make({ buildSecrets: [{ name: 'token', value: SECRET }] });
    expect(made).toMatchObject({ buildSecrets: [{ name: 'token', value: '' }] });
    await updateRecord(images, owner, { id: made.id, body: { buildSecrets: [{ name: 'token', value: '' }] } });
    const [stored] = readImage(made.id)!.buildSecrets!;
    expect(stored!.value).toMatch(/^sealed:/);
    await build(made.id);
    expect((await jobs()).at(-1)).toMatchObject({
      spec: { parameters: { secrets: [{ name: 'token', value: SECRET }] } },
    });
    expect(everyText()).not.toContain(SECRET);
  });

  it('are refused where no step mounts them, and where they are empty', async () => {
    const refused = (buildSecrets: object[], more: object = {}) => fieldsOf(make({ buildSecrets, ...more }));
    expect(await refused([{ name: 'gone', value: 'x' }])).toMatchObject({ buildSecrets: { 0: { name: {} } } });
    expect(await refused([{ name: '../x', value: 'x' }])).toMatchObject({ buildSecrets: { 0: { name: {} } } });
    expect(await refused([{ name: 'token', value: '' }])).toMatchObject({ buildSecrets: { 0: { value: {} } } });
    expect(await refused([{ name: 'token', value: 'x' }], { template: true })).toMatchObject({
      buildSecrets: { message: 'A template keeps no secrets.' },
    });
    expect(await refused([{ name: '.netrc', value: 'x' }])).toMatchObject({ buildSecrets: { 0: { name: {} } } });
    expect(await refused([{ name: 'token', value: 'a\u0000' }])).toMatchObject({ buildSecrets: { 0: { value: {} } } });
  });

  it('are nothing that a stranger can put in', async () => {
    const { id } = await make({ buildSecrets: [{ name: 'token', value: SECRET }] });
    const stranger = await createUser();
    const change = updateRecord(images, stranger, { id, body: { buildSecrets: [] } });
    await expect(change).rejects.toMatchObject({ code: 'not_found' });
    expect(readImage(id)!.buildSecrets).toHaveLength(1);
  });
});

/** Everything that the database holds, as text. */
function everyText(): string {
  const { sqlite } = getDb();
  const tables = sqlite.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all() as { name: string }[];
  return tables.map(({ name }) => JSON.stringify(sqlite.prepare(`SELECT * FROM "${name}"`).all())).join('\n');
}
