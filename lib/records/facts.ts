import 'server-only';
import { grantTables, type GrantedResource } from '@/lib/policies/rules';
import type { Facts, RecordFacts } from '@/lib/policies/evaluate';
import type { Collection } from './collection';
import { collectionNamed } from './registry';
import { prepare } from './statements';
import { decodeRow, type TableMap } from './table-map';

type GrantRow = Record<string, unknown>;

/**
 * What rules need beyond the record, read once and kept for the life of the object: one request, one change. The grants of
 * a resource are loaded for all users by one query, or ahead for many resources of one user.
 */
export class StoredFacts implements Facts {
  /** By `collection/id`, then by user. */
  private readonly grants = new Map<string, Map<string, GrantRow>>();
  private readonly personal = new Set<string>();
  private readonly records = new Map<string, RecordFacts | undefined>();

  hasGrant({ resource, resourceId, userId, flags }: Parameters<Facts['hasGrant']>[0]): boolean {
    const key = `${resource}/${resourceId}`;
    const known = this.personal.has(`${key}/${userId}`) ? this.grants.get(key) : this.grantsOf(resource, resourceId);
    const row = known?.get(userId);
    return row !== undefined && flags.some((flag) => row[flag] === true);
  }

  related(collection: string, id: string): RecordFacts | undefined {
    const key = `${collection}/${id}`;
    if (!this.records.has(key)) this.records.set(key, loadRecords(collection, [id])[0]);
    return this.records.get(key);
  }

  /** Loads what one user may hold on many resources, so that asking record by record costs no query. */
  preloadGrants(resource: GrantedResource, ids: readonly string[], userId: string): void {
    const { collection, field } = grantTables[resource];
    const map = mapOf(collection);
    for (const id of ids) this.personal.add(`${resource}/${id}/${userId}`);
    const where = `${columnOf(map, 'user')} = ? AND ${columnOf(map, field)} IN (SELECT value FROM json_each(?))`;
    for (const row of readRows(map, where, [userId, JSON.stringify(ids)])) this.keepGrant(resource, field, row);
  }

  /** Loads many related records at once. */
  preloadRelated(collection: string, ids: readonly string[]): void {
    for (const id of ids) this.records.set(`${collection}/${id}`, undefined);
    for (const row of loadRecords(collection, ids)) this.records.set(`${collection}/${String(row.id)}`, row);
  }

  private grantsOf(resource: GrantedResource, resourceId: string): Map<string, GrantRow> {
    const key = `${resource}/${resourceId}`;
    const complete = `${key}/*`;
    if (!this.personal.has(complete)) {
      this.personal.add(complete);
      const { collection, field } = grantTables[resource];
      const map = mapOf(collection);
      if (!this.grants.has(key)) this.grants.set(key, new Map());
      for (const row of readRows(map, `${columnOf(map, field)} = ?`, [resourceId]))
        this.keepGrant(resource, field, row);
    }
    return this.grants.get(key)!;
  }

  private keepGrant(resource: GrantedResource, field: string, row: GrantRow): void {
    const key = `${resource}/${String(row[field])}`;
    if (!this.grants.has(key)) this.grants.set(key, new Map());
    this.grants.get(key)!.set(String(row.user), row);
  }
}

function loadRecords(collection: string, ids: readonly string[]): GrantRow[] {
  const map = mapOf(collection);
  return readRows(map, `${columnOf(map, 'id')} IN (SELECT value FROM json_each(?))`, [JSON.stringify(ids)]);
}

function readRows(map: TableMap, where: string, params: string[]): GrantRow[] {
  const columns = map.columns.map(({ column }) => column).join(', ');
  const statement = prepare(`SELECT ${columns} FROM ${map.name} WHERE ${where}`).raw();
  return (statement.all(...params) as unknown[][]).map((raw) => decodeRow(map.columns, raw));
}

function mapOf(name: string): TableMap {
  const collection: Collection | undefined = collectionNamed(name);
  if (!collection) throw new Error(`The collection ${name} is not registered`);
  return collection.map;
}

function columnOf(map: TableMap, key: string): string {
  return map.byKey.get(key)!.column;
}
