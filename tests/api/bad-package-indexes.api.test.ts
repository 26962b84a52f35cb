import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { setClock } from '@/lib/clock';
import { env } from '@/lib/env';
import { packageCache } from '@/lib/images/packages/package-cache';
import { rateLimits } from '@/lib/vocabulary/limits';
import { call } from '../setup/call';
import { openPrivateDatabase } from '../setup/database';
import { json, simple, startPackageServer, type PackageServer } from '../setup/package-server';
import { createImage, createPerson } from '../setup/world';

openPrivateDatabase();

let index: PackageServer;
/** In the own network too, and nobody named it. */
let inner: PackageServer;
let person: { id: string };
let restoreClock = () => {};

beforeAll(async () => {
  [index, inner] = [await startPackageServer(), await startPackageServer()];
});
beforeEach(async () => {
  Object.assign(env(), { pypiIndexUrl: `${index.url}/simple`, condaUrl: `${index.url}/conda`, allowedSources: [] });
  await packageCache().empty();
  for (const server of [index, inner]) {
    server.pages.clear();
    server.asked.length = 0;
  }
  person = await createPerson();
  await createImage({ created_by: person.id });
});
afterEach(() => restoreClock());
afterAll(() => Promise.all([index.dispose(), inner.dispose()]));

const ask = (path: string, query: Record<string, string>) =>
  call('GET', `/api/packages/${path}?${new URLSearchParams(query).toString()}`, { as: person });
const search = (query: string) => ask('search', { manager: 'pypi', query });
const conda = (channel: string) => ask('search', { manager: 'conda', channel, query: 'tool' });
const failed = (words: string) => ({
  status: 200,
  json: { state: 'unreachable', message: expect.stringContaining(words) },
});

describe('an index that is dead', () => {
  it('is told of in words, and asked again later', async () => {
    const gone = await startPackageServer();
    await gone.dispose();
    Object.assign(env(), { pypiIndexUrl: `${gone.url}/simple` });
    const words = `${gone.url}/simple/ can not be reached: it refuses connections (ECONNREFUSED).`;
    expect(await search('numpy')).toMatchObject({
      status: 200,
      json: { items: [], state: 'unreachable', message: words },
    });
    expect(await ask('versions', { manager: 'pypi', name: 'numpy' })).toMatchObject(failed('it refuses connections'));
    index.pages.set('/simple/', json(simple('numpy')));
    Object.assign(env(), { pypiIndexUrl: `${index.url}/simple` });
    expect(await search('numpy')).toMatchObject({ json: { items: [{ name: 'numpy' }], state: 'ready', message: '' } });
  });

  it('is not asked with every key that is typed', async () => {
    index.pages.set('/simple/', (_request, response) => void response.writeHead(503).end());
    for (const query of ['n', 'nu', 'num']) expect(await search(query)).toMatchObject(failed('status 503'));
    expect(index.asked).toHaveLength(1);
    const at = Date.now() + 30_000;
    restoreClock = setClock(() => at);
    await search('nump');
    expect(index.asked).toHaveLength(2);
  });

  it('leaves what was known', async () => {
    index.pages.set('/simple/', json(simple('numpy')));
    index.pages.set('/pypi/numpy/json', json({ info: { summary: 'Arrays' }, releases: { '1.0': [{}] } }));
    await search('numpy');
    await ask('versions', { manager: 'pypi', name: 'numpy' });
    index.pages.clear();
    index.pages.set('/simple/', (request) => void request.socket.destroy());
    index.pages.set('/pypi/numpy/json', (request) => void request.socket.destroy());
    const at = Date.now() + 2 * 3_600_000;
    restoreClock = setClock(() => at);
    expect(await search('numpy')).toMatchObject({ json: { items: [{ name: 'numpy' }] } });
    await vi.waitFor(async () => expect(await search('numpy')).toMatchObject(failed('it broke off')));
    expect(await search('numpy')).toMatchObject({ json: { items: [{ name: 'numpy', description: 'Arrays' }] } });
    const known = await ask('versions', { manager: 'pypi', name: 'numpy' });
    expect(known).toMatchObject({ json: { versions: ['1.0'], state: 'unreachable' } });
  });
});

it('an index that is slow is waited for beside the question', async () => {
  let answer = () => {};
  index.pages.set('/simple/', (request, response) => {
    answer = () => json(simple('numpy'))(request, response);
  });
  expect((await search('numpy')).json).toEqual({ items: [], state: 'loading', message: '' });
  answer();
  await vi.waitFor(async () => expect((await search('numpy')).json).toMatchObject({ state: 'ready' }));
  expect(index.asked).toHaveLength(1);
});

it('an index that never answers is given up', async () => {
  index.pages.set('/pypi/numpy/json', () => {});
  expect(await ask('versions', { manager: 'pypi', name: 'numpy' })).toMatchObject(
    failed('did not answer within 10 seconds'),
  );
});

describe('an index that lies', () => {
  it.each([
    ['no JSON', '<html>log in</html>', 'no package index'],
    ['a list', '[1,2]', 'no package index'],
    ['half of it', '{"projects":[{"name":"a"},', 'no package index'],
    ['nothing', '{"projects":[]}', 'names no package at all'],
    [
      'wrong kinds',
      '{"projects":[5,null,{"name":7},{"name":"../../x"},{"name":["a"]},"numpy"]}',
      'names no package at all',
    ],
  ])('with %s is told of', async (_what, text, words) => {
    index.pages.set('/simple/', (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(text);
    });
    expect(await search('numpy')).toMatchObject(failed(words));
  });

  it('of versions and words has them taken for what they may be', async () => {
    const info = { summary: { a: 1 }, version: '<b>1</b>', name: 'else' };
    const releases = { '1.0': 'x', '2.0': [{}], '../../x': [{}], '3.0': [null], [' ']: [{}] };
    index.pages.set('/pypi/numpy/json', json({ info, releases }));
    expect(await ask('versions', { manager: 'pypi', name: 'numpy' })).toMatchObject({
      json: { name: 'numpy', description: '', latestVersion: '2.0', versions: ['2.0'] },
    });
  });

  it('without an end is cut off, and little of it is held', async () => {
    let sent = 0;
    index.pages.set('/simple/', (_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"projects":[');
      const chunk = Buffer.from(`{"name":"${'a'.repeat(90)}"},`.repeat(10_000));
      const send = () => {
        while (!response.destroyed && (sent += chunk.length) < 1e9 && response.write(chunk));
      };
      response.on('drain', send);
      send();
    });
    const before = process.memoryUsage().rss;
    let highest = before;
    const watch = setInterval(() => (highest = Math.max(highest, process.memoryUsage().rss)), 20);
    await vi.waitFor(
      async () => expect(await search('numpy')).toMatchObject(failed('more than 120 MB, which is cut off')),
      {
        timeout: 60_000,
        interval: 500,
      },
    );
    clearInterval(watch);
    expect(sent).toBeLessThan(150e6);
    expect(highest - before).toBeLessThan(200e6);
  }, 90_000);

  it('with a name as long as the rest is no more than passed over', async () => {
    index.pages.set('/simple/', json({ projects: [{ name: 'b'.repeat(5_000_000) }, { name: 'numpy' }] }));
    expect(await search('numpy')).toMatchObject({ json: { items: [{ name: 'numpy' }] } });
  });
});

describe('the own network', () => {
  it('is not reached by the address of a channel', async () => {
    for (const channel of [
      `${inner.url}/channel`,
      'http://localhost:1/x',
      'http://[::1]/x',
      'http://169.254.169.254/x',
    ]) {
      const answer = await conda(channel);
      if (answer.status === 200) expect(answer, channel).toMatchObject(failed('is not asked'));
      else expect(answer.status, channel).toBe(400);
    }
    for (const channel of [`${index.url}/conda/../secret`, `${index.url}/conda/%2e%2e/secret`, `${index.url}/condax`]) {
      const answer = await conda(channel);
      expect(answer.status === 400 || answer.json.state === 'unreachable', channel).toBe(true);
    }
    for (const channel of ['../secret', '//evil', 'a/../../b', 'http://u:p@example.org/x', 'file:///etc', 'a?b', 'a#b'])
      expect((await conda(channel)).status, channel).toBe(400);
    expect([index.asked, inner.asked]).toEqual([[], []]);
  });

  it('is not reached by a redirect', async () => {
    const lead = (url: string) =>
      index.pages.set('/simple/', (_request, response) => {
        response.writeHead(302, { location: url }).end();
      });
    lead(`${inner.url}/simple/`);
    expect(await search('numpy')).toMatchObject(failed('is not asked'));
    expect(inner.asked).toEqual([]);
    await packageCache().empty();
    lead('file:///etc/passwd');
    expect(await search('numpy')).toMatchObject(failed('is not asked'));
    await packageCache().empty();
    lead('/simple/');
    expect(await search('numpy')).toMatchObject(failed('leads from address to address'));
  });

  it('is reached where an admin allows it, and by an index’s own redirects', async () => {
    Object.assign(env(), { allowedSources: ['127.0.0.1'] });
    inner.pages.set('/channel/channeldata.json', json({ packages: { tool: { version: '1.0' } } }));
    expect(await conda(`${inner.url}/channel`)).toMatchObject({ json: { items: [{ name: 'tool' }] } });
    index.pages.set('/simple/', (_request, response) => void response.writeHead(301, { location: '/moved/' }).end());
    index.pages.set('/moved/', json(simple('tool')));
    expect(await search('tool')).toMatchObject({ json: { items: [{ name: 'tool' }] } });
  });
});

it('one person can not have channel after channel fetched', async () => {
  const { max } = rateLimits.packageListsByAccount;
  const statuses: number[] = [];
  for (let number = 0; number <= max; number += 1) statuses.push((await conda(`channel-${number}`)).status);
  expect(statuses.slice(0, 5)).toEqual([200, 200, 200, 200, 200]);
  expect(statuses.at(-1)).toBe(429);
});

it('a channel of very many files is read in pieces', async () => {
  const FILES = 120_000;
  index.pages.set('/conda/big/noarch/repodata.json', (_request, response) => {
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .write('{"info":{},"packages":{},"packages.conda":{');
    let at = 0;
    const depends = Array.from({ length: 20 }, (_, number) => `dependency-${number} >=1.0`);
    const send = () => {
      while (at < FILES) {
        const file = { name: `tool-${at >> 2}`, version: `1.${at % 4}`, depends, license: 'x'.repeat(300) };
        const more = response.write(`${at === 0 ? '' : ','}"f${at}.conda":${JSON.stringify(file)}`);
        at += 1;
        if (!more) return;
      }
      response.end('}}');
    };
    response.on('drain', send);
    send();
  });
  const before = process.memoryUsage().rss;
  let highest = before;
  const watch = setInterval(() => (highest = Math.max(highest, process.memoryUsage().rss)), 20);
  const versions = () => ask('versions', { manager: 'conda', channel: 'big', name: 'tool-29999' });
  await vi.waitFor(async () => expect((await versions()).json).toMatchObject({ state: 'ready' }), {
    timeout: 60_000,
    interval: 300,
  });
  clearInterval(watch);
  expect((await versions()).json).toMatchObject({ latestVersion: '1.3', versions: ['1.3', '1.2', '1.1', '1.0'] });
  expect(highest - before).toBeLessThan(200e6);
}, 90_000);
