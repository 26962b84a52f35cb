import type { AnyRow, Collection } from './collection';
import type { Field } from './fields/field';
import { castList } from './fields/values';

const IGNORED = new Set(['created', 'updated', 'collectionId', 'collectionName', 'expand']);

/** What a body asks for, field by field, modifiers resolved. */
export interface ResolvedBody {
  /** Cast values of the fields that were sent. */
  values: AnyRow;
  sent: ReadonlySet<string>;
}

/** Reads a body against the collection's fields: unknown keys and what only the console writes are ignored. */
export function resolveBody(collection: Collection, body: Readonly<AnyRow>, before: AnyRow | undefined): ResolvedBody {
  const values: AnyRow = {};
  for (const [name, field] of collection.fields) {
    if (field.options.serverWritten || IGNORED.has(name)) continue;
    const value = valueOf(field, name, { body, before });
    if (value !== undefined) values[name] = value;
  }
  return { values, sent: new Set(Object.keys(values)) };
}

function valueOf(
  field: Field,
  name: string,
  { body, before }: { body: Readonly<AnyRow>; before: AnyRow | undefined },
): unknown {
  const plain = own(body, name);
  const plus = field.kind === 'file' ? undefined : own(body, `${name}+`);
  const minus = own(body, `${name}-`);
  if (plus === undefined && minus === undefined) return plain === undefined ? undefined : field.cast(plain);
  const base = plain === undefined ? (before?.[name] ?? field.unset) : field.cast(plain);
  return applyModifiers(field, base, { plus, minus });
}

function applyModifiers(field: Field, base: unknown, { plus, minus }: { plus: unknown; minus: unknown }): unknown {
  if (field.kind === 'number') {
    const sum = (raw: unknown) => [raw].flat().reduce<number>((total, item) => total + (field.cast(item) as number), 0);
    return (base as number) + sum(plus ?? []) - sum(minus ?? []);
  }
  if (field.kind !== 'select' && field.kind !== 'relation' && field.kind !== 'file') return base;
  const removed = new Set(castList(minus).map((item) => field.spell?.(item) ?? item));
  return field.cast([...castList(base), ...castList(plus)].filter((item) => !removed.has(item)));
}

function own(body: Readonly<AnyRow>, name: string): unknown {
  return Object.hasOwn(body, name) ? body[name] : undefined;
}
