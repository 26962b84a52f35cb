'use client';

import { useRecordList } from '@/components/data/records';

/** As many as a filter holds well; a workspace with more shows the ids of the rest. */
const NAMED_MAX = 40;

interface Change {
  field: string;
  from: unknown;
  to: unknown;
}

/** Names of the volumes and networks that settings tell of, by id; of those that the viewer may see. */
export function useResourceNames(changes: readonly Change[]): ReadonlyMap<string, string> {
  const volumes = useNames('volumes', idsIn(changes, 'volumes'));
  const networks = useNames('networks', idsIn(changes, 'networks'));
  return new Map([...volumes, ...networks]);
}

function useNames(collection: 'volumes' | 'networks', ids: string[]): [string, string][] {
  const filter = ids.map((id) => `id = '${id}'`).join(' || ');
  const params = { page: 1, perPage: NAMED_MAX, sort: 'name', filter };
  const { data } = useRecordList(collection, params, { isEnabled: ids.length > 0 });
  return ids.length > 0 ? (data?.items ?? []).map(({ id, name }) => [id, name]) : [];
}

/** Ids in the values of a field, each once. */
export function idsIn(changes: readonly Change[], field: 'volumes' | 'networks'): string[] {
  const items = changes.filter((change) => change.field === field).flatMap(({ from, to }) => [from, to].flat());
  const ids = items.flatMap((item) => {
    if (typeof item === 'string') return item;
    const named = item as { volumeId?: unknown } | null | undefined;
    return typeof named?.volumeId === 'string' ? named.volumeId : [];
  });
  return [...new Set(ids)].filter((id) => /^[a-z0-9]{15}$/.test(id)).slice(0, NAMED_MAX);
}
