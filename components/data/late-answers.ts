import type { QueryCacheNotifyEvent, QueryClient } from '@tanstack/react-query';
import { patchOne } from './realtime-cache';
import type { RecordChange } from './realtime-link';

/** Changes that come while nothing is asked for are in every answer that is asked for later. */
const KEPT_MAX = 2000;

/** Asks again for all records in sight, also for what is on its way and may have been read before now. */
export async function askAnew(queries: QueryClient): Promise<void> {
  const queryKey = ['records'];
  // Of what has no data yet, asking again would only wait for the answer that is under way.
  await queries.cancelQueries({ queryKey, predicate: ({ state }) => state.data === undefined }, { silent: true });
  await queries.invalidateQueries({ queryKey });
}

/** An answer that was asked for before a change and comes after it shows what was before: the change is written into it again. */
export class LateAnswers {
  private readonly changes: RecordChange['record'][] = [];
  /** For each query that is under way, how many changes were there when it was asked. */
  private readonly asked = new Map<string, number>();
  readonly close: () => void;

  constructor(queries: QueryClient) {
    this.close = queries.getQueryCache().subscribe((event) => this.follow(event));
  }

  take({ action, record }: RecordChange): void {
    // What comes or goes has its lists asked for again as it is.
    if (action === 'update' && this.asked.size > 0 && this.changes.length < KEPT_MAX) this.changes.push(record);
  }

  private follow(event: QueryCacheNotifyEvent): void {
    const { query } = event;
    if (query.queryKey[0] !== 'records') return;
    if (event.type === 'removed') return this.forget(query.queryHash);
    if (event.type !== 'updated') return;
    const { action } = event;
    if (action.type === 'fetch') this.asked.set(query.queryHash, this.changes.length);
    else if (action.type === 'error') this.forget(query.queryHash);
    else if (action.type === 'success' && !action.manual) {
      const missed = this.changes.slice(this.asked.get(query.queryHash) ?? this.changes.length);
      this.forget(query.queryHash);
      for (const record of missed) patchOne(query, record);
    }
  }

  private forget(hash: string): void {
    this.asked.delete(hash);
    if (this.asked.size === 0) this.changes.length = 0;
  }
}
