import { describe, expect, it } from 'vitest';
import { makeSpec } from '../reconcile/workspaces/plan-fixture';
import { DesiredStore } from './desired-store';

const answer = (revision: number, full: boolean, objects: unknown[]) => ({ now: 0, revision, full, objects });
const workspace = (id: string, revision: number, spec: unknown = makeSpec()) => {
  return { kind: 'workspace', id, revision, spec };
};
const isWanted = (store: DesiredStore) => [...store.of('workspace')].map(([id, spec]) => [id, spec?.name]);

describe('what the console wants', () => {
  it('is merged from a part, and replaced by a full answer whatever its revisions', () => {
    const store = new DesiredStore();
    store.apply(answer(5, true, [workspace('w1', 4), workspace('w2', 5)]));
    store.apply(answer(6, false, [workspace('w2', 6, null), workspace('w1', 3, makeSpec({ name: 'late' }))]));
    expect(isWanted(store)).toEqual([
      ['w1', 'My Workspace!'],
      ['w2', undefined],
    ]);
    expect(store.apply(answer(6, true, []))).toBe(false);
    store.apply(answer(7, true, [workspace('w1', 1, makeSpec({ name: 'restored' }))]));
    expect(isWanted(store)).toEqual([['w1', 'restored']]);
  });

  it('stays as it was read last where it can not be read, also in a full answer', () => {
    const store = new DesiredStore();
    store.apply(answer(1, true, [workspace('w1', 1)]));
    store.apply(answer(2, true, [workspace('w1', 2, { name: 'newer' }), { kind: 'volume', id: 'v1', revision: 2 }]));
    expect(isWanted(store)).toEqual([['w1', 'My Workspace!']]);
    expect(store.unsupported.map(({ kind, revision }) => [kind, revision])).toEqual([
      ['workspace', 2],
      ['volume', 2],
    ]);
    store.apply(answer(3, true, []));
    expect([isWanted(store), store.unsupported]).toEqual([[], []]);
  });

  it('may hold what is no object at all, and a tombstone of a kind that was never held', () => {
    const store = new DesiredStore();
    store.apply(answer(1, true, ['what', { kind: 'workspace', spec: null }, { kind: 'volume', id: 'v1', spec: null }]));
    expect(store.revision).toBe(1);
    expect(store.unsupported.map(({ kind, id }) => [kind, id])).toEqual([
      ['', ''],
      ['workspace', ''],
    ]);
  });
});
