import 'server-only';
import { actorUserId, type Actor } from '@/lib/policies/actor';
import type { FieldProblem, FieldProblems } from '@/lib/errors';
import { resolveBody } from './body';
import type { AnyRow, CheckContext, Collection } from './collection';
import { StoreReader } from './transaction';
import { checkFields, checkUnique } from './validate';

export interface NamedProblem extends FieldProblem {
  /** Dotted: `portMappings.0.hostPort`. */
  field: string;
}

/** A record before anything was sent for it. */
export function defaultsOf(collection: Collection): AnyRow {
  const defaults: AnyRow = {};
  for (const [name, field] of collection.fields) defaults[name] = field.unset;
  return defaults;
}

/**
 * What a create with this body would be refused for. Writes nothing. Whether a unique value is taken is told only where
 * nothing is wrong with its own fields, as a create tells it.
 */
export function findProblemsOfNew(collection: Collection, actor: Actor, body: Readonly<AnyRow>): NamedProblem[] {
  const tx = new StoreReader();
  const { values, sent } = resolveBody(collection, body, undefined);
  const row: AnyRow = { ...defaultsOf(collection), ...values, id: '', created_by: actorUserId(actor) };
  const context: CheckContext = { actor, tx, row, before: undefined, body, sent, prepared: undefined };
  collection.hooks.complete?.(context);
  const problems = checkFields(collection, context);
  const taken = checkUnique(collection, { row, before: undefined, tx })?.problems ?? {};
  const isToldTaken = Object.keys(taken).every((name) => !(name in problems));
  return flatten(isToldTaken ? { ...problems, ...taken } : problems, '');
}

function flatten(problems: FieldProblems, prefix: string): NamedProblem[] {
  return Object.entries(problems).flatMap(([name, problem]) => {
    const field = prefix ? `${prefix}.${name}` : name;
    return isProblem(problem) ? [{ field, code: problem.code, message: problem.message }] : flatten(problem, field);
  });
}

function isProblem(problem: FieldProblem | FieldProblems): problem is FieldProblem {
  return typeof problem.message === 'string';
}
