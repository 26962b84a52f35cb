import type { QueryClient } from '@tanstack/react-query';
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
const RELATIONS = ['image', 'host', 'created_by', 'build_on', 'user'];

/** Writes a change into everything cached that shows its record, in place, so that no row jumps. */
export function patchCaches(queries: QueryClient, change: RecordChange, viewerId: string): void {
  const { action, record } = change;
  const name = record.collectionName;
  let needsRefetch = action !== 'update';
  queries.setQueriesData<unknown>({ queryKey: ['records'] }, (cached: unknown) => {
    const merge = (old: CachedRecord): CachedRecord => {
      if (old.collectionName === name && old.id === record.id) {
        if (RELATIONS.some((field) => field in record && field in old && old[field] !== record[field])) needsRefetch = true;
        return { ...old, ...record, can: old.can, expand: old.expand };
      }
      return patchExpanded(old, record, name);
    };
    if (action !== 'update') return cached;
    if (isList(cached)) return { ...cached, items: cached.items.map(merge) };
    if (Array.isArray(cached)) return cached.map((item: unknown) => (isRecord(item) ? merge(item) : item));
    return isRecord(cached) ? merge(cached) : cached;
  });
  if (needsRefetch) void queries.invalidateQueries({ queryKey: ['records', name] });
  if (name.endsWith('_permissions') && record['user'] === viewerId) {
    void queries.invalidateQueries({ queryKey: ['records', `${name.replace('_permissions', '')}s`] });
  }
}

function patchExpanded(old: CachedRecord, record: RecordChange['record'], name: string): CachedRecord {
  if (!old.expand) return old;
  let changed: Record<string, unknown> | undefined;
  for (const [field, value] of Object.entries(old.expand)) {
    if (isRecord(value) && value.id === record.id && value.collectionName === name) {
      changed = { ...(changed ?? old.expand), [field]: { ...value, ...record, expand: value.expand } };
    }
  }
  return changed ? { ...old, expand: changed } : old;
}
