import { beforeAll, describe, expect, it } from 'vitest';
import { call, send } from '../setup/call';
import { openPrivateDatabase } from '../setup/database';
import { createPerson, grantTo } from '../setup/world';
import { createHost, createImage, createTenant, type UserActor } from './factories';
import { createCaller } from './kernel-caller';
import { agentRoutes } from '@/lib/hosts/link/agent-routes';
import { environmentsSchema } from '@/lib/vocabulary/image-schemas';
import type { ImageRow } from '@/lib/images/collection';

openPrivateDatabase();

let owner: UserActor;
let other: { id: string };
let hostId: string;
const make = (overrides: Partial<ImageRow>) => createImage({ build_on: hostId, created_by: owner.id, ...overrides });
const environments = environmentsSchema.parse([
  { name: 'main', packages: [{ manager: 'pypi', name: 'numpy', version: { constraint: 'minimum', specifier: '2' } }] },
  { name: 'bio', packages: [{ manager: 'conda', name: 'samtools', channel: '' }] },
]);

beforeAll(async () => {
  const { host } = await createHost(createCaller(agentRoutes));
  hostId = host.id;
  owner = await createTenant(host);
  other = await createPerson();
});

describe('an import', () => {
  const take = (body: unknown, as: { id: string } | undefined = other) =>
    call('POST', '/api/images/import', { as, body });

  it('answers what a file comes to, and stores nothing', async () => {
    const { status, json } = await take({ text: 'numpy>=2\n-r more.txt\n', file: 'requirements.txt' });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      kind: 'requirements.txt',
      environments: [{ name: '', packages: [{ name: 'numpy', version: { constraint: 'minimum', specifier: '2' } }] }],
      leftOut: [{ line: 2, text: '-r more.txt' }],
      leftOutCount: 1,
    });
  });

  it('is refused at the text', async () => {
    for (const text of ['', 'a\u0000b', 'é'.repeat(26_000)]) {
      expect(await take({ text }), text.slice(0, 9)).toMatchObject({ status: 400, json: { data: { text: {} } } });
    }
    const broken = await take({ text: 'a: [', file: 'environment.yml' });
    expect(broken).toMatchObject({ status: 400, json: { data: { text: { code: 'validation_invalid_file' } } } });
    expect((await take({ text: 'a'.repeat(400_000) })).status).toBe(413);
    expect((await call('POST', '/api/images/import', { body: { text: 'a' } })).status).toBe(401);
  });
});

describe('an export', () => {
  const get = (image: ImageRow, query: string, as: { id: string } = owner) =>
    send(`/api/image/${image.id}/export?${query}`, { as });

  it('is what the image is made of, as a file', async () => {
    const image = await make({ creationType: 'generateDockerfile', baseImage: 'ubuntu:24.04', environments });
    const answer = await get(image, 'format=requirements.txt&environment=main');
    expect(answer.headers.get('content-disposition')).toContain('attachment; filename="requirements.txt"');
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(await answer.text()).toBe('numpy>=2\n');
    expect(await (await get(image, 'format=environment.yml&environment=bio')).text()).toContain('- "samtools"');
    expect(await (await get(image, 'format=Dockerfile')).text()).toMatch(/^FROM ubuntu:24\.04 AS recipe\n/);
    const written = await make({ creationType: 'writeDockerfile', dockerfile: 'FROM scratch\n' });
    expect(await (await get(written, 'format=Dockerfile')).text()).toBe('FROM scratch\n');
  });

  it('is refused in words where there is no such file', async () => {
    const image = await make({ creationType: 'generateDockerfile', baseImage: 'ubuntu:24.04', environments });
    const words = async (of: ImageRow, query: string) => {
      const answer = await get(of, query);
      return [answer.status, JSON.stringify(await answer.json())];
    };
    expect(await words(image, 'format=requirements.txt')).toEqual([
      400,
      expect.stringContaining('Say which') as string,
    ]);
    expect((await words(image, 'format=requirements.txt&environment=no'))[0]).toBe(404);
    expect((await words(image, 'format=zip'))[0]).toBe(400);
    const pulled = await make({ creationType: 'pullAnImage', dockerImageName: 'redis:7' });
    expect(await words(pulled, 'format=Dockerfile')).toEqual([
      400,
      expect.stringContaining('A pulled image') as string,
    ]);
  });

  it('is for who sees the image', async () => {
    const image = await make({ creationType: 'writeDockerfile', dockerfile: 'FROM scratch\n' });
    expect((await get(image, 'format=Dockerfile', other)).status).toBe(404);
    expect((await send(`/api/image/${image.id}/export?format=Dockerfile`)).status).toBe(404);
    await grantTo(other, 'image', { on: image, flags: ['view'] });
    expect((await get(image, 'format=Dockerfile', other)).status).toBe(200);
  });
});
