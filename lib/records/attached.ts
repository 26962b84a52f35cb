import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { FieldProblem } from '@/lib/errors';
import type { Actor } from '@/lib/policies/actor';
import { mayAct } from './can';
import type { AnyRow, Collection } from './collection';
import type { StoreReader } from './transaction';

/** A relation to what the actor may not see reads as if it did not exist. */
export const missingRelation = (): FieldProblem => ({
  code: 'validation_missing_rel_records',
  message: 'Failed to find all relation records with the provided ids.',
});

export const notAllowed = (message: string): FieldProblem => ({ code: 'validation_not_allowed', message });

interface Use<A extends string> {
  actor: Actor;
  tx: StoreReader;
  ids: readonly string[];
  /** What the record holds already is not asked about again. */
  known?: readonly string[];
  act: NoInfer<A> | 'view';
  refusal: string;
}

/** The first reason why the actor may not use one of the records; missing ones are found by the field itself. */
export function checkUse<T extends SQLiteTable, A extends string>(
  collection: Collection<T, A | 'view'>,
  use: Use<A>,
): FieldProblem | undefined {
  const known = new Set(use.known);
  for (const id of use.ids) {
    const row = known.has(id) ? undefined : (use.tx.get(collection, id) as AnyRow | undefined);
    if (!row) continue;
    if (!mayAct(collection, { actor: use.actor, act: 'view', row })) return missingRelation();
    if (!mayAct(collection, { actor: use.actor, act: use.act, row })) return notAllowed(use.refusal);
  }
  return undefined;
}
