import type { Collection } from '../collection';
import type { Field } from '../fields/field';
import { collectionNamed } from '../registry';
import { compileRule, type ActorClass } from '../rule-sql';
import { Aliases, asJsonList, part, type SqlPart } from '../sql';
import { FilterSyntaxError } from './tokens';

const MAX_STEPS = 6;
const MAX_JOINS = 24;

/** Where a path leads: a value, and for a multi-valued path the joins that its values come from. */
export interface ResolvedPath {
  value: SqlPart;
  /** Joins of the values that belong to one record; absent on single-valued paths. A shared join is the same object. */
  chain?: readonly SqlPart[];
  /** Must hold for the value to be looked at at all. */
  guard?: SqlPart;
  /** JSON values are compared without folding NULL and ''. */
  isJson: boolean;
  isNumber?: boolean;
}

interface Place {
  collection: Collection;
  alias: string;
  chain: readonly SqlPart[];
}

interface ResolveOptions {
  /** Whether the joins of a multi-valued path are those of other paths that begin alike: one related record for all. */
  isShared?: boolean;
}

interface ChainJoin {
  alias: string;
  join: SqlPart;
}

const MODIFIERS = new Set(['length', 'each', 'isset']);

/** Turns the names of one statement into SQL, sharing the joins of single-valued paths. */
export class PathResolver {
  readonly aliases = new Aliases();
  readonly reads = new Set<string>();
  readonly joins: SqlPart[] = [];
  private readonly joined = new Map<string, string>();
  private readonly shared = new Map<string, ChainJoin>();
  private isShared = false;
  private joinCount = 0;

  constructor(
    private readonly root: Collection,
    readonly actorClass: ActorClass,
    private readonly rootAlias = 't',
  ) {
    this.reads.add(root.name);
  }

  /** Whether the record itself has a field of that name. */
  hasField(name: string): boolean {
    return this.root.search.has(name);
  }

  /**
   * Resolves `rel.field[:modifier]`; a modifier that does not suit the field does nothing. Throws FilterSyntaxError on names
   * that lead nowhere.
   */
  resolve(identifier: string, { isShared = false }: ResolveOptions = {}): ResolvedPath {
    this.isShared = isShared;
    const [path = '', modifier, ...rest] = identifier.split(':');
    if (rest.length > 0 || (modifier !== undefined && !MODIFIERS.has(modifier))) {
      throw new FilterSyntaxError('unknown modifier');
    }
    const steps = path.split('.');
    let place: Place = { collection: this.root, alias: this.rootAlias, chain: [] };
    for (let index = 0; index < steps.length - 1; index += 1) {
      const step = steps[index]!;
      const field = place.collection.fields.get(step);
      if (field?.kind === 'json' && place.collection.search.has(step)) {
        return this.jsonValue(place, step, steps.slice(index + 1));
      }
      if (index >= MAX_STEPS) throw new FilterSyntaxError('path too long');
      place = this.walk(place, step, field, steps.slice(0, index + 1).join('.'));
    }
    return this.lastStep(place, { name: steps.at(-1)!, path }, modifier);
  }

  private lastStep(
    place: Place,
    { name, path }: { name: string; path: string },
    modifier: string | undefined,
  ): ResolvedPath {
    const { collection, alias } = place;
    if (!collection.search.has(name)) throw new FilterSyntaxError('unknown field');
    const field = collection.fields.get(name);
    const column = `${alias}.${collection.map.byKey.get(name)!.column}`;
    if (field?.kind === 'json') return this.jsonValue(place, name, []);
    const counts = field && (field.kind === 'select' || field.kind === 'file' || field.kind === 'relation');
    if (modifier === 'length' && counts) {
      const length = field.multiple ? listLength(column) : singleLength(column);
      return this.finish(place, part(length));
    }
    if (modifier === 'each' && field?.multiple) {
      this.countJoin();
      const each = this.itemsOf(place, column, path);
      return this.finish(each, part(`${each.alias}.value`));
    }
    const isNumber = field?.kind === 'number';
    return { ...this.finish(place, part(column)), isNumber, guard: this.guardOf(place, field) };
  }

  /** The place with the items of a list column, which `alias` names. */
  private itemsOf(place: Place, column: string, path: string): Place {
    const { alias, join } = this.chainJoin(`${path}:each`, () => {
      const each = this.aliases.next('e');
      return { alias: each, join: part(`LEFT JOIN json_each(${asJsonList(column)}) ${each}`) };
    });
    return { ...place, alias, chain: [...place.chain, join] };
  }

  private chainJoin(key: string, make: () => ChainJoin): ChainJoin {
    const known = this.isShared ? this.shared.get(key) : undefined;
    if (known) return known;
    const made = make();
    if (this.isShared) this.shared.set(key, made);
    return made;
  }

  private finish({ chain }: Place, value: SqlPart): ResolvedPath {
    return { value, chain: chain.length > 0 ? chain : undefined, isJson: false };
  }

  /** A value that its owner may hide is compared only where it is shown. */
  private guardOf({ collection, alias }: Place, field: Field | undefined): SqlPart | undefined {
    if (this.actorClass === 'full' || this.actorClass === 'system') return undefined;
    if (field?.isPrivate) return part(`${alias}."id" = ?`, { dynamic: 'actor' });
    const shown = field?.visibleWhen;
    if (!shown) return undefined;
    return part(`${alias}.${collection.map.byKey.get(shown)!.column} = 1`);
  }

  private jsonValue(place: Place, name: string, keys: readonly string[]): ResolvedPath {
    const column = `${place.alias}.${place.collection.map.byKey.get(name)!.column}`;
    let path = '$';
    for (const key of keys) {
      if (key === '') throw new FilterSyntaxError('empty key');
      path += /^\d+$/.test(key) ? `[${key}]` : `."${key}"`;
    }
    const value = part(`JSON_EXTRACT(${column}, ?)`, path);
    return { ...this.finish(place, value), isJson: true };
  }

  /** One step along a relation or back-relation. Records that the actor may not view are as if they were missing. */
  private walk(place: Place, step: string, field: Field | undefined, path: string): Place {
    if (!field) return this.walkBack(place, step, path);
    const target = field.relation && collectionNamed(field.relation.collection);
    if (!target || !place.collection.search.has(step)) throw new FilterSyntaxError('not a relation');
    const column = `${place.alias}.${place.collection.map.byKey.get(step)!.column}`;
    if (!field.multiple)
      return this.join(place, target, { path, on: (alias) => `${alias}."id" = ${column}`, many: false });
    const each = this.itemsOf(place, column, path);
    return this.join(each, target, { path, on: (alias) => `${alias}."id" = ${each.alias}.value`, many: true });
  }

  private walkBack(place: Place, step: string, path: string): Place {
    const at = step.indexOf('_via_');
    const target = at > 0 ? collectionNamed(step.slice(0, at)) : undefined;
    const fieldName = step.slice(at + 5);
    const field = target?.fields.get(fieldName);
    if (!target || field?.relation?.collection !== place.collection.name || !target.search.has(fieldName)) {
      throw new FilterSyntaxError('unknown relation');
    }
    const column = target.map.byKey.get(fieldName)!.column;
    const id = `${place.alias}."id"`;
    const isUnique = target.unique.some(({ fields, when }) => fields.length === 1 && fields[0] === fieldName && !when);
    const on = (alias: string) =>
      field.multiple
        ? `${id} IN (SELECT value FROM json_each(${asJsonList(`${alias}.${column}`)}))`
        : `${alias}.${column} = ${id}`;
    return this.join(place, target, { path, on, many: field.multiple || !isUnique });
  }

  private join(
    place: Place,
    target: Collection,
    { path, on, many }: { path: string; on(alias: string): string; many: boolean },
  ): Place {
    const inChain = many || place.chain.length > 0;
    const known = inChain ? undefined : this.joined.get(path);
    if (known) return { collection: target, alias: known, chain: [] };
    this.countJoin();
    if (inChain) {
      const { alias, join } = this.chainJoin(path, () => this.joinOf(target, on));
      return { collection: target, alias, chain: [...place.chain, join] };
    }
    const { alias, join } = this.joinOf(target, on);
    this.joins.push(join);
    this.joined.set(path, alias);
    return { collection: target, alias, chain: [] };
  }

  private joinOf(target: Collection, on: (alias: string) => string): ChainJoin {
    const alias = this.aliases.next('j');
    this.reads.add(target.name);
    const rule = compileRule(target.policy.view, {
      collection: target.name,
      alias,
      actorClass: this.actorClass,
      aliases: this.aliases,
      reads: this.reads,
    });
    const condition = rule ? `${on(alias)} AND ${rule.sql}` : on(alias);
    return {
      alias,
      join: { sql: `LEFT JOIN ${target.map.name} ${alias} ON ${condition}`, params: rule?.params ?? [] },
    };
  }

  private countJoin(): void {
    this.joinCount += 1;
    if (this.joinCount > MAX_JOINS) throw new FilterSyntaxError('too many relations');
  }
}

function listLength(column: string): string {
  return `(CASE WHEN ${column} = '' OR ${column} IS NULL THEN 0 ELSE json_array_length(${asJsonList(column)}) END)`;
}

function singleLength(column: string): string {
  return `(CASE WHEN ${column} = '' OR ${column} IS NULL THEN 0 ELSE 1 END)`;
}
