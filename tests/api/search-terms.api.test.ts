import { beforeAll, expect, test } from 'vitest';
import { readMeaning } from '@/components/records/search/search-filter';
import { namedTerm, ownerTerm, tagTerm } from '@/components/records/search/search-terms';
import type { AnyRow } from '@/lib/records/collection';
import { api } from '../setup/api';
import { openPrivateDatabase } from '../setup/database';
import { createDomain, createHost, createPerson, grantTo } from '../setup/world';

/** What the search box asks for, of the real lists: what it finds, and what it can not find out. */
openPrivateDatabase();

type Person = Awaited<ReturnType<typeof createPerson>>;
let ada: Person;
let ann: Person;

beforeAll(async () => {
  ada = await createPerson({ isAdmin: true, username: 'ada', name: 'Ada L' });
  ann = await createPerson({ username: 'ann', name: 'Ann B' });
  const [open, closed] = [await createHost({ name: 'open' }), await createHost({ name: 'hidden-host' })];
  await grantTo(ann, 'host', { on: open, flags: ['view'] });
  const made: AnyRow[] = [
    { url: 'one.example.org', host: open.id, created_by: ada.id, tags: ['course', 'a_b'] },
    { url: 'two.example.org', host: closed.id, created_by: ann.id, tags: ['course b'] },
    { url: 'three.example.org', host: '', created_by: ann.id, tags: ['axb'] },
    { url: "it's.example.org", host: '', created_by: '', tags: [] },
  ];
  for (const values of made) {
    const domain = await createDomain(values);
    await grantTo(ann, 'domain', { on: domain, flags: ['deploy'] });
  }
});

async function find(text: string, as: Person): Promise<string[]> {
  const keys = [
    { ...ownerTerm(as.id), key: 'owner', label: 'Owner', values: [{ value: 'me', label: 'Me' }] },
    { ...namedTerm('host', ['name'], 'hosts'), key: 'host', label: 'Host', values: [] },
    { ...tagTerm, key: 'tag', label: 'Tag', values: [] },
  ];
  const { filter } = readMeaning(text, { keys, fields: ['url'] });
  const query = new URLSearchParams({ filter, sort: 'created' }).toString();
  const { status, json } = await api('GET', `/api/collections/domains/records?${query}`, { as });
  expect(status, text).toBe(200);
  return (json.items as { url: string }[]).map(({ url }) => url.split('.')[0]!).sort();
}

test.each([
  ['', ["it's", 'one', 'three', 'two']],
  ['owner:me', ['three', 'two']],
  ['-owner:me', ["it's", 'one']],
  ['owner:ada', ['one']],
  ['owner:"Ann B"', ['three', 'two']],
  ['-owner:ada', ["it's", 'three', 'two']],
  ['tag:course', ['one']],
  ['tag:"COURSE  B"', ['two']],
  ['tag:a_b', ['one']],
  ['-tag:course', ["it's", 'three', 'two']],
  ['tag:course tag:a_b', ['one']],
  ['tag:course tag:axb', []],
  ['host:open', ['one']],
  ['-host:open', ["it's", 'three', 'two']],
  ["it's", ["it's"]],
  ["it's\\", []],
  ['example w', ['two']],
])('%s finds what is so', async (text, urls) => {
  expect(await find(text, ann)).toEqual(urls);
});

test('a host that the asker may not see is found by no name', async () => {
  expect(await find('host:hidden', ada)).toEqual(['two']);
  expect(await find('host:hidden', ann)).toEqual([]);
  expect(await find('-host:hidden', ann)).toEqual(await find('', ann));
});
