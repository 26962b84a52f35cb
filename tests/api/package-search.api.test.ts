import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { audit } from '@/lib/audit/collection';
import { setClock } from '@/lib/clock';
import { env } from '@/lib/env';
import { packageCache } from '@/lib/images/packages/package-cache';
import { StoreReader } from '@/lib/records/transaction';
import { call } from '../setup/call';
import { openPrivateDatabase } from '../setup/database';
import { json, simple, startPackageServer, type PackageServer } from '../setup/package-server';
import { createHost, createImage, createPerson, grantTo } from '../setup/world';

openPrivateDatabase();

let index: PackageServer;
let person: { id: string };
let restoreClock = () => {};
const HOUR_MS = 3_600_000;

beforeAll(async () => {
  index = await startPackageServer();
  Object.assign(env(), { pypiIndexUrl: `${index.url}/root/simple/`, condaUrl: `${index.url}/conda` });
  person = await createPerson();
  await grantTo(person, 'host', { on: await createHost(), flags: ['view', 'canCreateImages'] });
});
beforeEach(async () => {
  await packageCache().empty();
  index.pages.clear();
  index.asked.length = 0;
});
afterEach(() => restoreClock());
afterAll(() => index.dispose());

const search = (query: string, rest = 'manager=pypi', as = person) =>
  call('GET', `/api/packages/search?${rest}&query=${encodeURIComponent(query)}`, { as });
const versions = (name: string, rest = 'manager=pypi', as = person) =>
  call('GET', `/api/packages/versions?${rest}&name=${encodeURIComponent(name)}`, { as });
const names = ({ json: answer }: Awaited<ReturnType<typeof search>>) =>
  (answer.items as { name: string }[]).map(({ name }) => name);
const later = (ms: number) => {
  const at = Date.now() + ms;
  restoreClock = setClock(() => at);
};

const numpy = {
  info: { summary: 'Arrays of\n numbers', version: '2.1.0', description: 'x'.repeat(2_000_000) },
  releases: { '1.9': [{}], '2.1.0': [{ yanked: false }], '2.0': [{ yanked: true }], '2.2rc1': [{}], '0.1': [] },
};

describe('packages of a simple index', () => {
  it('are found by name, the best first, and asked for once', async () => {
    const type = 'application/vnd.pypi.simple.v1+json';
    index.pages.set('/root/simple/', json(simple('xnumpy', 'numpy-stl', 'NumPy', 'py_numpy', '../etc', ''), { type }));
    expect(names(await search('numpy'))).toEqual(['NumPy', 'numpy-stl', 'py_numpy', 'xnumpy']);
    expect(names(await search('Num'))).toEqual(['NumPy', 'numpy-stl', 'py_numpy', 'xnumpy']);
    expect(names(await search('numpy[extra]'))).toContain('NumPy');
    expect((await search('%%')).json).toEqual({ items: [], state: 'ready', message: '' });
    expect((await search('"* OR "')).json.state).toBe('ready');
    expect(index.asked).toEqual(['/root/simple/']);
  });

  it('are found by the page of an index that knows no JSON', async () => {
    const page =
      '<!DOCTYPE html><html><body><a href="/a/" data-x="1">alpha</a>\n<a href="/b/">beta.kit</a></body></html>';
    index.pages.set('/root/simple/', (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' });
      // In pieces, as a slow line brings it.
      for (const piece of page.match(/.{1,7}/gs)!) response.write(piece);
      response.end();
    });
    expect(names(await search('a'))).toEqual(['alpha']);
    expect(names(await search('kit'))).toEqual(['beta.kit']);
  });

  it('have versions, the newest first, and what they are is told with the next search', async () => {
    index.pages.set('/root/simple/', json(simple('numpy')));
    index.pages.set('/root/pypi/numpy/json', json(numpy));
    expect((await versions('numpy')).json).toEqual({
      name: 'numpy',
      description: 'Arrays of numbers',
      latestVersion: '2.1.0',
      versions: ['2.2rc1', '2.1.0', '1.9'],
      state: 'ready',
      message: '',
    });
    expect((await search('numpy')).json.items).toEqual([
      { name: 'numpy', description: 'Arrays of numbers', latestVersion: '2.1.0', channel: '' },
    ]);
    await versions('NumPy[extra]');
    expect(index.asked.filter((path) => path.includes('json'))).toHaveLength(1);
  });

  it('have versions where the index tells only their files', async () => {
    const files = [
      'my_kit-1.0-py3-none-any.whl',
      'my-kit-1.10.tar.gz',
      'my_kit-1.10-py3-none-any.whl',
      'other-9.tar.gz',
    ];
    index.pages.set('/root/simple/my-kit/', json({ files: files.map((filename) => ({ filename })) }));
    expect((await versions('my.kit')).json).toMatchObject({ latestVersion: '1.10', versions: ['1.10', '1.0'] });
    index.pages.set('/root/simple/kit/', json({ files: [], versions: ['3.0', 7, '../x', '4.0'] }));
    expect((await versions('kit')).json).toMatchObject({ versions: ['4.0', '3.0'] });
    expect((await versions('gone')).json).toMatchObject({ latestVersion: '', versions: [], state: 'ready' });
  });

  it('are looked at again when they are old, by tag, and an old list answers meanwhile', async () => {
    index.pages.set('/root/simple/', json(simple('alpha'), { etag: '"1"' }));
    expect(names(await search('alpha'))).toEqual(['alpha']);
    later(HOUR_MS / 2);
    expect(names(await search('alpha'))).toEqual(['alpha']);
    expect(index.asked).toHaveLength(1);
    restoreClock();
    later(2 * HOUR_MS);
    expect(names(await search('alpha'))).toEqual(['alpha']);
    await vi.waitFor(() => expect(index.asked).toHaveLength(2));
    index.pages.set('/root/simple/', json(simple('alpha', 'alphabet'), { etag: '"2"' }));
    restoreClock();
    later(4 * HOUR_MS);
    await vi.waitFor(async () => expect(names(await search('alpha'))).toEqual(['alpha', 'alphabet']));
  });
});

describe('packages of a conda channel', () => {
  const channel = { packages: { numpy: { summary: 'Arrays', version: '2.1' }, 'numpy-base': { version: '2.1' } } };
  const file = (name: string, version: string) => ({ name, version, build: 'py_0', depends: ['python'] });

  it('are found with what the channel says, the first channel first', async () => {
    index.pages.set('/conda/conda-forge/channeldata.json', json(channel));
    index.pages.set('/conda/mine/channeldata.json', json({ packages: { numpy: { version: '9', summary: 'Own' } } }));
    expect((await search('numpy', 'manager=conda')).json.items).toEqual([
      { name: 'numpy', description: 'Arrays', latestVersion: '2.1', channel: 'conda-forge' },
      { name: 'numpy-base', description: '', latestVersion: '2.1', channel: 'conda-forge' },
    ]);
    const both = await search('numpy', 'manager=conda&channel=mine&channel=conda-forge');
    expect(both.json.items).toMatchObject([{ channel: 'mine', latestVersion: '9' }, { channel: 'conda-forge' }]);
  });

  it('have the versions of their files, and names where the channel tells nothing else', async () => {
    const packages = {
      'a-1.tar.bz2': file('tool', '1.2'),
      'b.tar.bz2': file('tool', '1.10'),
      c: file('Bad Name', '1'),
    };
    index.pages.set('/conda/bare/noarch/repodata.json', json({ info: {}, packages, removed: ['x'] }));
    index.pages.set('/conda/bare/linux-64/repodata.json', json({ 'packages.conda': { d: file('tool', '1.11') } }));
    const bare = 'manager=conda&channel=bare';
    expect((await versions('tool', bare)).json).toMatchObject({
      latestVersion: '1.11',
      versions: ['1.11', '1.10', '1.2'],
      state: 'ready',
    });
    expect((await search('too', bare)).json.items).toEqual([
      { name: 'tool', description: '', latestVersion: '1.11', channel: 'bare' },
    ]);
  });

  it('that is not there is told by its address', async () => {
    expect((await search('x', 'manager=conda&channel=gone')).json).toMatchObject({
      items: [],
      state: 'unreachable',
      message: expect.stringContaining(`${index.url}/conda/gone/noarch/repodata.json is not there`),
    });
  });
});

describe('who may look packages up', () => {
  it('makes images somewhere, or changes one', async () => {
    index.pages.set('/root/simple/', json(simple('alpha')));
    const stranger = await createPerson();
    for (const ask of [search, versions]) {
      expect((await ask('alpha', 'manager=pypi', stranger)).status).toBe(403);
      expect((await ask('alpha', 'manager=pypi', {} as never)).status).toBe(401);
    }
    expect(index.asked).toEqual([]);
    const [owner, editor, viewer] = [await createPerson(), await createPerson(), await createPerson()];
    const image = await createImage({ created_by: owner.id });
    await grantTo(editor, 'image', { on: image, flags: ['modify'] });
    await grantTo(viewer, 'image', { on: image, flags: ['view', 'deploy'] });
    expect((await search('alpha', 'manager=pypi', owner)).status).toBe(200);
    expect((await search('alpha', 'manager=pypi', editor)).status).toBe(200);
    expect((await search('alpha', 'manager=pypi', viewer)).status).toBe(403);
  });

  it('asks for something that may be a package', async () => {
    const wrong = [
      ['search', 'manager=npm&query=a', 'manager'],
      ['search', 'manager=pypi&query=', 'query'],
      ['search', 'manager=pypi', 'query'],
      ['search', `manager=pypi&query=${'a'.repeat(201)}`, 'query'],
      ['versions', 'manager=pypi&name=..%2F..%2Fetc', 'name'],
      ['versions', 'manager=conda&name=a%20b', 'name'],
    ];
    for (const [path, query, field] of wrong) {
      const { status, json: answer } = await call('GET', `/api/packages/${path}?${query}`, { as: person });
      expect([status, Object.keys(answer.data as object)], query).toEqual([400, [field]]);
    }
  });
});

describe('what is kept', () => {
  const CACHE = '/api/packages/cache';

  it('lies in the data folder, and admins may empty it', async () => {
    const admin = await createPerson({ isAdmin: true });
    index.pages.set('/root/simple/', json(simple('alpha')));
    await search('alpha');
    const { json: before } = await call('GET', CACHE, { as: admin });
    expect(before).toMatchObject({ directory: path.join(env().dataDir, 'cache'), maxBytes: 1000 * 1024 ** 2 });
    expect(before.sizeBytes).toBeGreaterThan(10_000);
    expect((await call('DELETE', CACHE, { as: person })).status).toBe(403);
    expect((await call('GET', CACHE, { as: person })).status).toBe(403);
    expect((await call('DELETE', CACHE, { as: admin })).json.sizeBytes).toBe(0);
    const [told, ...others] = new StoreReader().find(audit, { action: 'packages.emptyCache' });
    expect([told?.user, told?.details, others]).toEqual([admin.id, { sizeBytes: before.sizeBytes }, []]);
    await search('alpha');
    expect(index.asked).toHaveLength(2);
  });

  it('is there after a restart, and fetched anew where it was damaged', async () => {
    index.pages.set('/root/simple/', json(simple('alpha')));
    await search('alpha');
    packageCache().close();
    expect(names(await search('alpha'))).toEqual(['alpha']);
    expect(index.asked).toHaveLength(1);
    packageCache().close();
    const folder = path.join(env().dataDir, 'cache/packages');
    for (const name of fs.readdirSync(folder)) fs.writeFileSync(path.join(folder, name), 'damaged');
    expect(names(await search('alpha'))).toEqual(['alpha']);
    expect(index.asked).toHaveLength(2);
  });

  it('goes to the folder of the settings, which has to take it, for as long as they say', async () => {
    const admin = await createPerson({ isAdmin: true });
    const directory = path.join(env().dataDir, 'elsewhere');
    const file = path.join(env().dataDir, 'a-file');
    fs.writeFileSync(file, '');
    index.pages.set('/root/simple/', json(simple('alpha')));
    await search('alpha');
    const put = (value: object) =>
      call('POST', '/api/collections/settings/records', { as: admin, body: { key: 'cache', value } });
    for (const bad of [file, path.join(file, 'below'), '/proc/berth']) {
      const { status, json: answer } = await put({ directory: bad });
      expect([status, Object.keys((answer.data as { value: object }).value)], bad).toEqual([400, ['directory']]);
    }
    expect((await put({ maxSizeMb: 1 })).status).toBe(400);
    const { json: setting } = await put({ directory, lifetime: 60, maxSizeMb: 50 });
    await search('alpha');
    expect(fs.readdirSync(path.join(directory, 'packages'))).not.toEqual([]);
    await vi.waitFor(() => expect(fs.readdirSync(path.join(env().dataDir, 'cache/packages'))).toEqual([]));
    later(61_000);
    index.asked.length = 0;
    await search('alpha');
    await vi.waitFor(() => expect(index.asked).toHaveLength(1));
    await call('DELETE', `/api/collections/settings/records/${setting.id as string}`, { as: admin });
  });
});
