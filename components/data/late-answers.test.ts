import { describe, expect, it, vi } from 'vitest';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { askAnew, LateAnswers } from './late-answers';
import { patchCaches } from './realtime-cache';
import type { RecordChange } from './realtime-link';

const KEY = ['records', 'workspaces', 'list', { page: 1 }];
const space = (status: string) => ({ id: 'a', collectionName: 'workspaces', status });

function asking() {
  const queries = new QueryClient();
  const late = new LateAnswers(queries);
  let answer: (items: object[]) => void = () => undefined;
  const queryFn = () => new Promise<{ items: object[] }>((resolve) => (answer = (items) => resolve({ items })));
  const ask = () => queries.fetchQuery({ queryKey: KEY, queryFn });
  const hear = (change: RecordChange) => {
    patchCaches(queries, change, 'me');
    late.take(change);
  };
  const status = () => queries.getQueryData<{ items: { status: string }[] }>(KEY)?.items[0]?.status;
  return { ask, hear, status, answer: (items: object[]) => answer(items) };
}

describe('an answer that was asked for before a change', () => {
  it('shows the change, though it was made before it', async () => {
    const { ask, hear, status, answer } = asking();
    const asked = ask();
    hear({ action: 'update', record: space('deploying') });
    hear({ action: 'update', record: space('running') });
    answer([space('stopped')]);
    await asked;
    expect(status()).toBe('running');
  });

  it('is left as it is where the change came before it was asked for', async () => {
    const { ask, hear, status, answer } = asking();
    const first = ask();
    hear({ action: 'update', record: space('deploying') });
    answer([space('stopped')]);
    await first;
    hear({ action: 'update', record: space('error') });
    const second = ask();
    answer([space('running')]);
    await second;
    expect(status()).toBe('running');
  });
});

describe('asking anew', () => {
  it('does not take an answer that is on its way for a new one', async () => {
    const queries = new QueryClient();
    const answers: ((items: object[]) => void)[] = [];
    const queryFn = () => new Promise<object>((resolve) => answers.push((items) => resolve({ items })));
    const seen = new QueryObserver<object>(queries, { queryKey: KEY, queryFn });
    const leave = seen.subscribe(() => undefined);
    await vi.waitFor(() => expect(answers).toHaveLength(1));
    const asked = askAnew(queries);
    await vi.waitFor(() => expect(answers).toHaveLength(2));
    answers[0]!([space('deploying')]);
    answers[1]!([space('running')]);
    await asked;
    expect(queries.getQueryData(KEY)).toEqual({ items: [space('running')] });
    leave();
  });
});
