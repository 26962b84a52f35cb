import { beforeAll, describe, expect, test } from 'vitest';
import type { AnyRow } from '@/lib/records/collection';
import { newId } from '@/lib/ids';
import { TAGGED, tagLimits } from '@/lib/vocabulary/tags';
import { api } from '../setup/api';
import { call } from '../setup/call';
import { openPrivateDatabase } from '../setup/database';
import {
  createDomain,
  createFile,
  createGroup,
  createHost,
  createImage,
  createNetwork,
  createPerson,
  createVolume,
  createWorkspace,
  grantTo,
} from '../setup/world';

openPrivateDatabase();

type Person = Awaited<ReturnType<typeof createPerson>>;
const people = {} as Record<'ada' | 'ann' | 'ben' | 'viewer', Person>;
let host: AnyRow;

beforeAll(async () => {
  people.ada = await createPerson({ isAdmin: true });
  people.ann = await createPerson();
  people.ben = await createPerson();
  people.viewer = await createPerson();
  host = await createHost({ created_by: people.ada.id, default_runtime: 'runc', default_gpu_runtime: 'nvidia' });
});

const makers: Record<(typeof TAGGED)[number], (values: AnyRow) => Promise<AnyRow>> = {
  workspaces: async (values) =>
    createWorkspace({ host: host.id, image: (await createImage({ build_on: host.id })).id, ...values }),
  images: (values) => createImage({ build_on: host.id, ...values }),
  hosts: (values) =>
    createHost({ default_runtime: 'runc', default_gpu_runtime: 'nvidia', environment: 'docker', ...values }),
  volumes: (values) => createVolume({ host: host.id, ...values }),
  networks: (values) => createNetwork({ host: host.id, ...values }),
  domains: createDomain,
  files: createFile,
};

const patch = (kind: string, id: unknown, as: Person | undefined, body: AnyRow) =>
  call('PATCH', `/api/collections/${kind}/records/${String(id)}`, { as, body });
const tagsOf = async (query = '', as: Person | undefined = people.ann) => {
  const { json } = await api('GET', `/api/tags?${query}`, { as });
  return (json.items as { tag: string; count: number }[]).map(({ tag }) => tag);
};
const namesOf = async (kind: string, filter: string, as: Person) => {
  const query = new URLSearchParams({ filter, perPage: '500', fields: 'id' }).toString();
  const { json, status } = await api('GET', `/api/collections/${kind}/records?${query}`, { as });
  expect(status).toBe(200);
  return (json.items as AnyRow[]).map(({ id }) => id).sort();
};

describe('tags of a record', () => {
  test.each([...TAGGED])('of %s are set by whoever may modify it, and found by filters', async (kind) => {
    const record = await makers[kind]({ created_by: people.ada.id });
    const other = await makers[kind]({ created_by: people.ada.id, tags: ['other'] });
    const answer = await patch(kind, record.id, people.ada, { tags: ['  Course  A ', 'team/Óbuda', 'course a'] });
    expect(answer.json.tags).toEqual(['course a', 'team/óbuda']);
    expect(await namesOf(kind, `tags ~ '"team/óbuda"'`, people.ada)).toEqual([record.id]);
    expect(await namesOf(kind, `tags:each ?= 'course a'`, people.ada)).toEqual([record.id]);
    expect(await namesOf(kind, `tags:length = 1 && tags !~ '"course a"'`, people.ada)).toEqual([other.id]);
    expect((await patch(kind, record.id, people.ben, { tags: ['mine'] })).status).toBe(404);
  });

  test('are added and taken away one by one, in whatever case they are sent', async () => {
    const volume = await createVolume({ host: host.id, created_by: people.ann.id, tags: ['a', 'b'] });
    expect((await patch('volumes', volume.id, people.ann, { 'tags+': ['C', 'A'] })).json.tags).toEqual(['a', 'b', 'c']);
    expect((await patch('volumes', volume.id, people.ann, { 'tags-': 'B ' })).json.tags).toEqual(['a', 'c']);
    expect((await patch('volumes', volume.id, people.ann, { tags: 'one' })).json.tags).toEqual(['one']);
    expect((await patch('volumes', volume.id, people.ann, { tags: null })).json.tags).toEqual([]);
  });

  test('are refused at the field, and nothing is stored', async () => {
    const volume = await createVolume({ host: host.id, created_by: people.ann.id, tags: ['kept'] });
    const many = Array.from({ length: tagLimits.perRecord + 1 }, (_, index) => `tag-${index}`);
    const refused: [unknown, string][] = [
      [many, 'validation_too_many_values'],
      [Array.from({ length: 20_000 }, (_, index) => `tag-${index}`), 'validation_too_many_values'],
      [['a,b'], 'validation_invalid_tag'],
      [['say "hi"'], 'validation_invalid_tag'],
      [["it's"], 'validation_invalid_tag'],
      [['a\\b'], 'validation_invalid_tag'],
      [['100%'], 'validation_invalid_tag'],
      [['--'], 'validation_invalid_tag'],
      [['x'.repeat(tagLimits.length + 1)], 'validation_invalid_tag'],
    ];
    for (const [tags, code] of refused) {
      const { status, json } = await patch('volumes', volume.id, people.ann, { tags });
      expect([status, (json.data as AnyRow).tags]).toMatchObject([400, { code }]);
    }
    expect((await patch('volumes', volume.id, people.ann, { 'tags+': many.slice(1) })).status).toBe(400);
    expect((await patch('volumes', volume.id, people.ann, {})).json.tags).toEqual(['kept']);
  });

  test('need the right to modify: seeing is not enough', async () => {
    const network = await createNetwork({ host: host.id, created_by: people.ann.id, tags: ['kept'] });
    await grantTo(people.viewer, 'network', { on: network, flags: ['attach'] });
    expect(await namesOf('networks', `tags ~ '"kept"'`, people.viewer)).toEqual([network.id]);
    expect((await patch('networks', network.id, people.viewer, { 'tags+': 'mine' })).status).toBe(404);
    expect((await patch('networks', network.id, undefined, { 'tags+': 'mine' })).status).toBe(404);
  });

  test('go over from an image template', async () => {
    const template = await createImage({
      build_on: host.id,
      template: true,
      created_by: people.ada.id,
      tags: ['base'],
    });
    const { makeFromTemplate } = await import('@/lib/images/use-template');
    const made = await makeFromTemplate(people.ada, template as never);
    expect(made.tags).toEqual(['base']);
  });
});

describe('the tags that there are', () => {
  const own = newId();

  test('are those of what the asker may see, the most used first', async () => {
    const stranger = await createPerson();
    const group = await createGroup([people.ben]);
    const [first, second] = [`often-${own}`, `once-${own}`];
    for (const tags of [[first, second], [first]]) {
      const volume = await createVolume({ host: host.id, created_by: people.ann.id, tags });
      await grantTo({ group }, 'volume', { on: volume, flags: ['attach'] });
    }
    const secret = `secret-${own}`;
    await createFile({ created_by: people.ann.id, tags: [secret] });
    const search = `search=${own.toUpperCase()}`;
    expect(await tagsOf(search, people.ann)).toEqual([first, second, secret]);
    expect(await tagsOf(search, people.ben)).toEqual([first, second]);
    expect(await tagsOf(search, people.ada)).toEqual([first, second, secret]);
    expect(await tagsOf(search, stranger)).toEqual([]);
    expect(await tagsOf(`${search}&collection=files`, people.ann)).toEqual([secret]);
    expect(await tagsOf(`search=${secret}`, people.ben)).toEqual([]);
  });

  test('are those of templates, of all else, or of both', async () => {
    const [base, made, plain] = [`base-${own}`, `made-${own}`, `plain-${own}`];
    for (const kind of ['images', 'workspaces'] as const) {
      await makers[kind]({ created_by: people.ada.id, template: true, tags: [base] });
      await makers[kind]({ created_by: people.ada.id, tags: [made] });
    }
    await createFile({ created_by: people.ada.id, tags: [plain] });
    const ask = async (query: string) =>
      (await tagsOf(`${query}&search=${own}`, people.ada)).filter((tag) => [base, made, plain].includes(tag));
    for (const kind of ['images', 'workspaces']) {
      expect(await ask(`collection=${kind}&template=true`)).toEqual([base]);
      expect(await ask(`collection=${kind}&template=false`)).toEqual([made]);
      expect(await ask(`collection=${kind}`)).toEqual([base, made]);
    }
    expect(await ask('collection=files&template=true')).toEqual([plain]);
    expect(await ask('template=false')).toEqual([made, plain]);
    expect((await api('GET', '/api/tags?template=1', { as: people.ada })).status).toBe(400);
  });

  test('are there for nobody who is not logged in, and for no other kind', async () => {
    expect((await api('GET', '/api/tags', {})).status).toBe(401);
    expect((await api('GET', '/api/tags?collection=users', { as: people.ada })).status).toBe(400);
    expect((await api('GET', '/api/tags?collection=files,users', { as: people.ada })).status).toBe(400);
  });

  test('follow what is changed and whose right ends', async () => {
    const tag = `late-${own}`;
    const volume = await createVolume({ host: host.id, created_by: people.ada.id, tags: [] });
    const granted = await grantTo(people.viewer, 'volume', { on: volume, flags: ['attach'] });
    expect(await tagsOf(`search=${tag}`, people.viewer)).toEqual([]);
    await patch('volumes', volume.id, people.ada, { 'tags+': tag });
    expect(await tagsOf(`search=${tag}`, people.viewer)).toEqual([tag]);
    await call('DELETE', `/api/collections/volume_permissions/records/${String(granted.id)}`, { as: people.ada });
    expect(await tagsOf(`search=${tag}`, people.viewer)).toEqual([]);
  });

  test('are no more than are told at once, and a search is text', async () => {
    const ann = await createPerson();
    for (let index = 0; index < 4; index += 1) {
      const tags = Array.from({ length: tagLimits.perRecord }, (_, at) => `many-${index}-${at}`);
      await createVolume({ host: host.id, created_by: ann.id, tags });
    }
    expect(await tagsOf('', ann)).toHaveLength(tagLimits.told);
    expect(await tagsOf('search=%25', ann)).toEqual([]);
    expect(await tagsOf(`search=${encodeURIComponent("' OR 1=1 --")}`, ann)).toEqual([]);
    expect(await tagsOf(`search=${'x'.repeat(5000)}`, ann)).toEqual([]);
  });
});

describe('hostile tags', () => {
  test('hold nobody up, however long they are and however many', async () => {
    const record = await makers.workspaces({ created_by: people.ann.id });
    const marks = `e${'\u0301\u0323'.repeat(200_000)}`;
    for (const body of [{ tags: [marks] }, { 'tags+': [marks] }, { 'tags-': [marks] }]) {
      const from = performance.now();
      const { status } = await patch('workspaces', record.id, people.ann, body);
      expect([status, performance.now() - from < 3000]).toEqual(['tags-' in body ? 200 : 400, true]);
    }
    const many = Array.from({ length: 100_000 }, (_, index) => String(index));
    expect((await patch('workspaces', record.id, people.ann, { tags: many })).status).toBe(400);
  });
});
