import type { Query, QueryClient } from '@tanstack/react-query';
import type { RecordChange } from './realtime-link';

interface CachedRecord {
  id: string;
  collectionName?: string;
  can?: unknown;
  expand?: Record<string, unknown>;
  [field: string]: unknown;
}
interface CachedList {
  items: CachedRecord[];
}

const isRecord = (value: unknown): value is CachedRecord => typeof value === 'object' && value !== null && 'id' in value;
const isList = (value: unknown): value is CachedList =>
  typeof value === 'object' && value !== null && 'items' in value && Array.isArray(value.items);

/** Fields that point to other records: when one changes, what was expanded behind it is of no more use. */
const RELATIONS = ['image', 'host', 'created_by', 'build_on', 'user', 'group'];

/** Writes a change into everything cached that shows its record, in place, so that no row jumps. */
export function patchCaches(queries: QueryClient, change: RecordChange, viewerId: string): void {
  const { action, record } = change;
  const name = record.collectionName;
  let needsRefetch = action !== 'update';
  const changed = new Set<string>();
  const merge = mergeOf(record, (old) => {
    for (const field of Object.keys(record)) if (!isSameValue(old[field], record[field])) changed.add(field);
    if (RELATIONS.some((field) => field in record && field in old && changed.has(field))) needsRefetch = true;
  });
  if (action === 'update') {
    for (const query of queries.getQueryCache().findAll({ queryKey: ['records'] })) patchQuery(query, merge);
  }
  if (needsRefetch) void queries.invalidateQueries({ queryKey: ['records', name] });
  else if (changed.size > 0) {
    const predicate = ({ meta }: Query) => namesAny(String(meta?.['filter'] ?? ''), changed);
    void queries.invalidateQueries({ queryKey: ['records', name], predicate });
  }
  void queries.invalidateQueries({ predicate: ({ meta, state }) => follows(meta, record, state.data) });
  // Whoever hears of a group's permission is in the group, or may look at it anyway.
  if (name.endsWith('_permissions') && (record['user'] === viewerId || record['group'])) {
    void queries.invalidateQueries({ queryKey: ['records', `${name.replace('_permissions', '')}s`] });
  }
  // What a group holds is of every kind.
  if (name === 'group_members' && record['user'] === viewerId) {
    void queries.invalidateQueries({ queryKey: ['records'] });
  }
}

/** Of a query whose answer the console works out of records: whether a changed one takes part in it. */
export type Concerns = (record: RecordChange['record'], data: unknown) => boolean;

function follows(meta: Query['meta'], record: RecordChange['record'], data: unknown): boolean {
  const concerns = meta?.['concerns'] as Concerns | undefined;
  return concerns?.(record, data) === true;
}

/** Writes a change into what one query holds. */
export function patchOne(query: Query, record: RecordChange['record']): void {
  patchQuery(query, mergeOf(record));
}

function mergeOf(record: RecordChange['record'], onFound?: (old: CachedRecord) => void) {
  return (old: CachedRecord): CachedRecord => {
    if (old.collectionName !== record.collectionName || old.id !== record.id) return patchExpanded(old, record);
    onFound?.(old);
    return { ...old, ...record, can: old.can, expand: old.expand };
  };
}

const isSameValue = (a: unknown, b: unknown) => a === b || JSON.stringify(a) === JSON.stringify(b);

/** Whether a filter asks for any of the fields: what it finds may be another now. */
function namesAny(filter: string, fields: ReadonlySet<string>): boolean {
  return (filter.match(/[A-Za-z_]\w*/g) ?? []).some((word) => fields.has(word));
}

/** What was to be asked for again still is: new data by itself would make a query count as fresh. */
function patchQuery(query: Query, merge: (old: CachedRecord) => CachedRecord): void {
  const { data, dataUpdatedAt, isInvalidated } = query.state;
  const patched = patchData(data, merge);
  if (patched === data) return;
  query.setData(patched, { updatedAt: dataUpdatedAt, manual: true });
  if (isInvalidated) query.invalidate();
}

/** The same object where nothing in it shows the record. */
function patchData(data: unknown, merge: (old: CachedRecord) => CachedRecord): unknown {
  const mergeAll = (items: readonly unknown[]): unknown[] => items.map((item) => (isRecord(item) ? merge(item) : item));
  const differs = (items: readonly unknown[], merged: readonly unknown[]) =>
    merged.some((item, index) => item !== items[index]);
  if (isList(data)) {
    const items = mergeAll(data.items);
    return differs(data.items, items) ? { ...data, items } : data;
  }
  if (Array.isArray(data)) {
    const items = mergeAll(data);
    return differs(data, items) ? items : data;
  }
  return isRecord(data) ? merge(data) : data;
}

function patchExpanded(old: CachedRecord, record: RecordChange['record']): CachedRecord {
  if (!old.expand) return old;
  let changed: Record<string, unknown> | undefined;
  for (const [field, value] of Object.entries(old.expand)) {
    if (isRecord(value) && value.id === record.id && value.collectionName === record.collectionName) {
      changed = { ...(changed ?? old.expand), [field]: { ...value, ...record, expand: value.expand } };
    }
  }
  return changed ? { ...old, expand: changed } : old;
}
