import 'server-only';
import { grantTables, memberships, type GrantedResource } from '@/lib/policies/rules';
import type { Facts, GrantQuestion, RecordFacts } from '@/lib/policies/evaluate';
import type { Collection } from './collection';
import { collectionNamed } from './registry';
import { prepare } from './statements';
import { decodeRow, type TableMap } from './table-map';

type GrantRow = Record<string, unknown>;

/** All grants of one resource. */
interface Grants {
  byUser: Map<string, GrantRow>;
  ofGroups: GrantRow[];
}

const NONE: ReadonlySet<string> = new Set();

/**
 * What rules need beyond the record, read once and kept for the life of the object: one request, one change. The grants of
 * a resource are loaded for all users by one query, or ahead for many resources of one user.
 */
export class StoredFacts implements Facts {
  /** By `resource/id`. */
  private readonly grants = new Map<string, Grants>();
  /** What one user holds, by `resource/id/user`. */
  private readonly personal = new Map<string, GrantRow[]>();
  private readonly groups = new Map<string, ReadonlySet<string>>();
  private readonly records = new Map<string, RecordFacts | undefined>();

  /** `askers` are who will be asked about: their groups are read together, once there is need. */
  constructor(private readonly askers: () => Iterable<string> = () => []) {}

  grantsHeld({ resource, resourceId, userId, flags }: GrantQuestion): readonly RecordFacts[] {
    const held = this.personal.get(`${resource}/${resourceId}/${userId}`) ?? this.heldBy(userId, resource, resourceId);
    return held.filter((row) => flags.some((flag) => row[flag] === true));
  }

  isMember(groupId: string, userId: string): boolean {
    return this.groupsOf(userId).has(groupId);
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
    for (const id of ids) this.personal.set(`${resource}/${id}/${userId}`, []);
    const where = (holder: string) => `${holder} AND ${columnOf(map, field)} IN (SELECT value FROM json_each(?))`;
    const list = JSON.stringify(ids);
    const own = readRows(map, where(`${columnOf(map, 'user')} = ?`), [userId, list]);
    const shared = readRows(map, where(`${columnOf(map, 'group')} IN (${GROUPS_OF_ONE})`), [userId, list]);
    for (const row of [...own, ...shared]) this.personal.get(`${resource}/${String(row[field])}/${userId}`)!.push(row);
  }

  /** Loads many related records at once. */
  preloadRelated(collection: string, ids: readonly string[]): void {
    for (const id of ids) this.records.set(`${collection}/${id}`, undefined);
    for (const row of loadRecords(collection, ids)) this.records.set(`${collection}/${String(row.id)}`, row);
  }

  private heldBy(userId: string, resource: GrantedResource, resourceId: string): GrantRow[] {
    const { byUser, ofGroups } = this.grantsOf(resource, resourceId);
    const own = byUser.get(userId);
    const shared = ofGroups.length === 0 ? [] : ofGroups.filter((row) => this.isMember(String(row.group), userId));
    return own ? [own, ...shared] : shared;
  }

  private grantsOf(resource: GrantedResource, resourceId: string): Grants {
    const key = `${resource}/${resourceId}`;
    let grants = this.grants.get(key);
    if (grants) return grants;
    this.grants.set(key, (grants = { byUser: new Map(), ofGroups: [] }));
    const { collection, field } = grantTables[resource];
    const map = mapOf(collection);
    for (const row of readRows(map, `${columnOf(map, field)} = ?`, [resourceId])) {
      if (row.group) grants.ofGroups.push(row);
      else grants.byUser.set(String(row.user), row);
    }
    return grants;
  }

  private groupsOf(userId: string): ReadonlySet<string> {
    if (!this.groups.has(userId)) this.loadGroups([...new Set([userId, ...this.askers()])]);
    return this.groups.get(userId) ?? NONE;
  }

  private loadGroups(userIds: readonly string[]): void {
    const loaded = new Map(userIds.map((id) => [id, new Set<string>()]));
    const rows = prepare(GROUPS_OF_MANY).raw().all(JSON.stringify(userIds)) as [user: string, group: string][];
    for (const [user, group] of rows) loaded.get(user)!.add(group);
    for (const [user, groups] of loaded) this.groups.set(user, groups);
  }
}

const { collection: MEMBERS, user: USER, group: GROUP } = memberships;
const GROUPS_OF_ONE = `SELECT "${GROUP}" FROM ${MEMBERS} WHERE "${USER}" = ?`;
const GROUPS_OF_MANY = `SELECT "${USER}", "${GROUP}" FROM ${MEMBERS} WHERE "${USER}" IN (SELECT value FROM json_each(?))`;

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
