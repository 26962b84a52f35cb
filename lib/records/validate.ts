import 'server-only';
import type { FieldProblem, FieldProblems } from '@/lib/errors';
import type { AnyRow, CheckContext, Collection } from './collection';
import { isUnset, REQUIRED, type Field, type Problem } from './fields/field';
import { collectionNamed } from './registry';
import type { StoreReader } from './transaction';

const ID = /^[^@#$&|.,'"\\/\s]{15}$/;

/** Whether the text has the form of a record id; such a text is also safe as the name of a folder. */
export function isRecordId(id: string): boolean {
  return ID.test(id) && !id.includes('\u0000');
}

/** What is wrong with the id that a client chose; undefined when it may be taken. */
export function checkNewId(collection: Collection, id: string, tx: StoreReader): FieldProblem | undefined {
  if ([...id].length !== 15) return { code: 'validation_length_invalid', message: 'The length must be exactly 15.' };
  if (!isRecordId(id)) return { code: 'validation_match_invalid', message: 'Must be in a valid format.' };
  if (tx.get(collection, id)) {
    return { code: 'validation_invalid_id', message: 'The model id is invalid or already exists.' };
  }
  return undefined;
}

/** The first problem of each field, then what the collection as a whole has to say of the others. */
export function checkFields(collection: Collection, context: CheckContext): FieldProblems {
  const problems: FieldProblems = {};
  for (const [name, field] of collection.fields) {
    if (context.before && !context.sent.has(name)) continue;
    const problem = checkField(field, context.row[name], { before: context.before?.[name], tx: context.tx });
    if (problem) problems[name] = problem;
  }
  for (const [name, problem] of Object.entries(collection.check?.(context) ?? {})) problems[name] ??= problem;
  return problems;
}

function checkField(
  field: Field,
  value: unknown,
  { before, tx }: { before: unknown; tx: StoreReader },
): Problem | undefined {
  if (isUnset(value)) return field.options.required ? REQUIRED : undefined;
  return field.check(value) ?? checkRelation(field, value, { before, tx });
}

function checkRelation(
  field: Field,
  value: unknown,
  { before, tx }: { before: unknown; tx: StoreReader },
): Problem | undefined {
  if (!field.relation) return undefined;
  const known = new Set([before].flat());
  const target = collectionNamed(field.relation.collection);
  if (!target) {
    const message = 'Relation connection is missing or cannot be accessed.';
    return { code: 'validation_missing_rel_collection', message };
  }
  const isMissing = (id: unknown) => !known.has(id) && !tx.get(target, String(id));
  if (![value].flat().some(isMissing)) return undefined;
  const message = 'Failed to find all relation records with the provided ids.';
  return { code: 'validation_missing_rel_records', message };
}

/** Problems of the unique indexes, on every column of the one that is taken. Only looks at what changed. */
export function checkUnique(
  collection: Collection,
  { row, before, tx }: { row: AnyRow; before: AnyRow | undefined; tx: StoreReader },
): { problems: FieldProblems; message: string | undefined } | undefined {
  for (const { fields, when, message, sentence } of collection.unique) {
    if (when && !when(row)) continue;
    if (before && (!when || when(before)) && fields.every((name) => before[name] === row[name])) continue;
    const match = Object.fromEntries(fields.map((name) => [name, row[name]]));
    const others = tx.find(collection, match) as AnyRow[];
    if (!others.some((other) => other.id !== row.id && (!when || when(other)))) continue;
    const problem = { code: 'validation_not_unique', message: sentence ?? message ?? 'Value must be unique.' };
    return { problems: Object.fromEntries(fields.map((name) => [name, problem])), message };
  }
  return undefined;
}
