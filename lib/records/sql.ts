/** A parameter whose value is known only when the statement runs. */
export interface DynamicParam {
  readonly dynamic: 'actor' | `@${string}`;
}
export type SqlParam = string | number | null | DynamicParam;

/** A piece of SQL with its parameters in textual order. Client text never enters `sql`. */
export interface SqlPart {
  readonly sql: string;
  readonly params: readonly SqlParam[];
}

export function part(sql: string, ...params: SqlParam[]): SqlPart {
  return { sql, params };
}

/** Joins parts with a separator, parameters in order. */
export function joinParts(parts: readonly SqlPart[], separator: string): SqlPart {
  return { sql: parts.map(({ sql }) => sql).join(separator), params: parts.flatMap(({ params }) => params) };
}

/** An identifier of the schema, quoted. Never called with client text. */
export function quote(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}

/** Hands out table aliases that are unique within one statement. */
export class Aliases {
  private count = 0;

  next(prefix: string): string {
    this.count += 1;
    return `${prefix}${this.count}`;
  }
}

/** A stored list as JSON, also where the column holds a bare value. */
export function asJsonList(column: string): string {
  return `CASE WHEN json_valid(${column}) THEN ${column} ELSE json_array(${column}) END`;
}
