import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import { patchCaches } from './realtime-cache';

const host = (id: string, name: string) => ({ id, name, collectionName: 'hosts' });
const LIST = ['records', 'hosts', 'list', { page: 1 }];
const OTHERS = ['records', 'workspaces', 'list', { page: 1 }];

function cached() {
  const queries = new QueryClient();
  queries.setQueryData(LIST, { items: [host('a', 'one'), host('b', 'two')] });
  queries.setQueryData(OTHERS, {
    items: [{ id: 'w', collectionName: 'workspaces', host: 'a', expand: { host: host('a', 'one') } }],
  });
  return queries;
}

const isOld = (queries: QueryClient, key: unknown[]) => queries.getQueryState(key)!.isInvalidated;

describe('a change that comes over realtime', () => {
  it('reaches the record wherever it is shown, and leaves the rest as it was', () => {
    const queries = cached();
    const [before] = queries.getQueryData<{ items: object[] }>(LIST)!.items.slice(1);
    patchCaches(queries, { action: 'update', record: host('a', 'renamed') }, 'me');
    const { items } = queries.getQueryData<{ items: object[] }>(LIST)!;
    expect(items).toMatchObject([{ name: 'renamed' }, { name: 'two' }]);
    expect(items[1]).toBe(before);
    expect(queries.getQueryData(OTHERS)).toMatchObject({ items: [{ expand: { host: { name: 'renamed' } } }] });
  });

  it('has lists asked for again when a record comes or goes', () => {
    const queries = cached();
    patchCaches(queries, { action: 'delete', record: host('b', 'two') }, 'me');
    expect([isOld(queries, LIST), isOld(queries, OTHERS)]).toEqual([true, false]);
  });

  it('does not make a list count as fresh that was to be asked for again', () => {
    const queries = cached();
    patchCaches(queries, { action: 'delete', record: host('b', 'two') }, 'me');
    patchCaches(queries, { action: 'update', record: host('a', 'renamed') }, 'me');
    patchCaches(queries, { action: 'update', record: { ...host('x', 'elsewhere'), collectionName: 'images' } }, 'me');
    expect(isOld(queries, LIST)).toBe(true);
    expect(queries.getQueryData(LIST)).toMatchObject({ items: [{ name: 'renamed' }, {}] });
  });

  it('asks again what counts by a field that changed, and nothing else', () => {
    const queries = cached();
    const counts = ['engine.kind', 'name', 'id'].map((field) => {
      const key = ['records', 'hosts', 'count', `${field} = 'x'`];
      queries.getQueryCache().build(queries, { queryKey: key, meta: { filter: `${field} = 'x'` } }).setData(1);
      return key;
    });
    patchCaches(queries, { action: 'update', record: { ...host('a', 'one'), engine: { kind: 'docker' } } }, 'me');
    expect(counts.map((key) => isOld(queries, key))).toEqual([true, false, false]);
    patchCaches(queries, { action: 'update', record: { ...host('a', 'one'), engine: { kind: 'docker' } } }, 'me');
    expect(isOld(queries, LIST)).toBe(false);
  });

  it('asks again what the console worked out of records, where the changed one takes part', () => {
    const queries = cached();
    const key = ['worked-out'];
    const concerns = ({ id }: { id: string }, data: unknown) => id === data;
    queries.getQueryCache().build(queries, { queryKey: key, meta: { concerns } }).setData('a');
    patchCaches(queries, { action: 'update', record: host('b', 'two') }, 'me');
    expect(isOld(queries, key)).toBe(false);
    patchCaches(queries, { action: 'update', record: host('a', 'one') }, 'me');
    expect(isOld(queries, key)).toBe(true);
  });

  it('has what a relation leads to asked for again when it leads elsewhere', () => {
    const queries = cached();
    patchCaches(queries, { action: 'update', record: { id: 'w', collectionName: 'workspaces', host: 'b' } }, 'me');
    expect([isOld(queries, OTHERS), isOld(queries, LIST)]).toEqual([true, false]);
  });

  it('keeps what the viewer may do, which a change does not say', () => {
    const queries = new QueryClient();
    queries.setQueryData(LIST, { items: [{ ...host('a', 'one'), can: { modify: true } }] });
    patchCaches(queries, { action: 'update', record: { ...host('a', 'two'), can: undefined } }, 'me');
    expect(queries.getQueryData(LIST)).toMatchObject({ items: [{ name: 'two', can: { modify: true } }] });
  });

  it('asks for what the viewer was given rights to, and not for what others were', () => {
    const queries = cached();
    const grant = { id: 'p', collectionName: 'host_permissions' };
    patchCaches(queries, { action: 'update', record: { ...grant, user: 'someone' } }, 'me');
    expect(isOld(queries, LIST)).toBe(false);
    patchCaches(queries, { action: 'update', record: { ...grant, user: 'me' } }, 'me');
    expect(isOld(queries, LIST)).toBe(true);
  });
});
