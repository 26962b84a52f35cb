import 'server-only';
import { AppError, type FieldProblems, GENERIC_MESSAGE, NOT_FOUND_MESSAGE } from '@/lib/errors';
import { newId } from '@/lib/ids';
import { actorUserId, type Actor } from '@/lib/policies/actor';
import { allows, decideWithoutRecord } from '@/lib/policies/evaluate';
import { CREATE_FAILED, UPDATE_FAILED } from './messages';
import { resolveBody, type ResolvedBody } from './body';
import type { AnyRow, CheckContext, Collection } from './collection';
import { StoredFacts } from './facts';
import { castText } from './fields/text';
import { runAfterWrite } from './hooks';
import { refuseClosed, showRecords, type ShowOptions } from './reader';
import { refuseBeyondQuota, refuseUploadBeyondQuota } from './quotas';
import { StoreReader, write, type WriteTransaction } from './transaction';
import { placeUploads, type Upload } from './uploads';
import { defaultsOf } from './new-record';
import { checkFields, checkNewId, checkUnique, isRecordId } from './validate';

export interface WriteInput {
  body: Readonly<AnyRow>;
  /** Uploaded files by field. */
  uploads?: Readonly<Record<string, readonly Upload[]>>;
  show?: ShowOptions;
}

/**
 * Adds a record and answers it as the actor sees it. Throws AppError `invalid` with the problems by field, or without any
 * where the actor may not create it; nothing is written then.
 */
export async function createRecord(collection: Collection, actor: Actor, input: WriteInput): Promise<unknown> {
  refuseClosed(collection, 'create', actor);
  const id = castText(input.body.id) || newId();
  const uploads = isRecordId(id) && !isRefused(collection, actor) ? input.uploads : undefined;
  await refuseUploadBeyondQuota(actor, uploads ?? {});
  const placed = await placeUploads(collection, { id, uploads: uploads ?? {}, body: input.body, before: undefined });
  try {
    const prepared = await collection.hooks.prepare?.({
      actor,
      body: placed.body,
      before: undefined,
      uploads: uploads ?? {},
    });
    const row = await write((tx) => {
      const created = createInside(collection, {
        actor,
        tx,
        id,
        body: placed.body,
        prepared,
        problems: placed.problems,
      });
      tx.afterCommit.push(() => placed.keep());
      return created;
    });
    return showRecords(collection, [row], { actor, options: input.show ?? {} })[0];
  } catch (error) {
    await placed.discard();
    throw translateUnique(error, CREATE_FAILED);
  }
}

/** Throws what `createRecord` throws where the actor may create none, whatever it holds: for before a body is read. */
export function refuseCreate(collection: Collection, actor: Actor): void {
  refuseClosed(collection, 'create', actor);
  if (isRefused(collection, actor)) throw new AppError('invalid', CREATE_FAILED);
}

interface InsideWrite {
  actor: Actor;
  tx: WriteTransaction;
  id: string;
  body: Readonly<AnyRow>;
  prepared: unknown;
  /** Found with the uploads, before the transaction. */
  problems: FieldProblems;
}

function createInside(collection: Collection, { actor, tx, id, body, prepared, problems }: InsideWrite): AnyRow {
  const resolved = resolveBody(collection, body, undefined);
  const row: AnyRow = { ...defaultsOf(collection), ...resolved.values, id };
  if (collection.fields.has('created_by')) row.created_by = creatorOf(actor, body, row);
  const context = { actor, tx, row, before: undefined, body, sent: resolved.sent, prepared };
  const idProblem = castText(body.id) === '' ? undefined : checkNewId(collection, id, tx);
  const system: FieldProblems = { ...(idProblem && { id: idProblem }), ...collection.hooks.checkSystem?.(context) };
  refuseProblems(system, CREATE_FAILED);
  collection.hooks.complete?.(context);
  refuseProblems({ ...checkFields(collection, context), ...problems }, CREATE_FAILED);
  if (!allows(collection.policy.create, actor, row, new StoredFacts())) throw new AppError('invalid', CREATE_FAILED);
  refuseTaken(collection, context, CREATE_FAILED);
  refuseBeyondQuota(collection, actor, context);
  const stored = tx.insert(collection, sealed(collection, row, { before: undefined, resolved }) as never) as AnyRow;
  runAfterWrite(collection.name, { action: 'create', tx, row: stored, before: undefined, actor });
  return stored;
}

/**
 * Changes the sent fields of a record and answers it. Throws AppError `not_found` where the actor may not change it,
 * `invalid` with the problems by field otherwise; nothing is written then.
 */
export async function updateRecord(
  collection: Collection,
  actor: Actor,
  { id, ...input }: WriteInput & { id: string },
): Promise<unknown> {
  const seen = refuseUpdate(collection, actor, id);
  await refuseUploadBeyondQuota(actor, input.uploads ?? {});
  const placed = await placeUploads(collection, { id, uploads: input.uploads ?? {}, body: input.body, before: seen });
  try {
    const uploads = input.uploads ?? {};
    const prepared = await collection.hooks.prepare?.({ actor, body: placed.body, before: seen, uploads });
    const row = await write((tx) => {
      const updated = updateInside(collection, {
        actor,
        tx,
        id,
        body: placed.body,
        prepared,
        problems: placed.problems,
      });
      tx.afterCommit.push(() => placed.keep());
      return updated;
    });
    return showRecords(collection, [row], { actor, options: input.show ?? {} })[0];
  } catch (error) {
    await placed.discard();
    throw translateUnique(error, UPDATE_FAILED);
  }
}

/** The record as it is; throws what `updateRecord` throws where the actor may not change it: for before a body is read. */
export function refuseUpdate(collection: Collection, actor: Actor, id: string): AnyRow {
  refuseClosed(collection, 'update', actor);
  return findWritable(collection, actor, { id, action: 'update', store: new StoreReader() });
}

function updateInside(collection: Collection, { actor, tx, id, body, prepared, problems }: InsideWrite): AnyRow {
  const before = findWritable(collection, actor, { id, action: 'update', store: tx });
  const resolved = resolveBody(collection, body, before);
  const row: AnyRow = { ...before, ...resolved.values };
  const context = { actor, tx, row, before, body, sent: resolved.sent, prepared };
  const system: FieldProblems = { ...collection.hooks.checkSystem?.(context) };
  if (![id, ''].includes(castText(body.id))) {
    system.id = { code: 'validation_in_invalid', message: 'Must be a valid value.' };
  }
  refuseProblems(system, GENERIC_MESSAGE);
  collection.hooks.complete?.(context);
  refuseProblems({ ...checkFields(collection, context), ...problems }, GENERIC_MESSAGE);
  refuseTaken(collection, context, UPDATE_FAILED);
  refuseBeyondQuota(collection, actor, context);
  const stored = tx.patch(collection, id, sealed(collection, row, { before, resolved }) as never) as AnyRow | undefined;
  if (!stored) throw new AppError('not_found', NOT_FOUND_MESSAGE);
  runAfterWrite(collection.name, { action: 'update', tx, row: stored, before, actor });
  return stored;
}

/** The stored record if the actor passes the rule of the action; throws AppError `not_found` otherwise. */
export function findWritable(
  collection: Collection,
  actor: Actor,
  { id, action, store }: { id: string; action: 'update' | 'delete'; store: StoreReader },
): AnyRow {
  const row = store.get(collection, id) as AnyRow | undefined;
  if (!row || !allows(collection.policy[action], actor, row, new StoredFacts())) {
    throw new AppError('not_found', NOT_FOUND_MESSAGE);
  }
  return row;
}

/** Whoever creates a record owns it; the console may say for whom it does. */
function creatorOf(actor: Actor, body: Readonly<AnyRow>, row: AnyRow): unknown {
  return actor.kind === 'system' ? (body.created_by ?? row.created_by) : actorUserId(actor);
}

/** The values as they are stored: secrets sealed, fields that were not sent left as they are. */
function sealed(
  collection: Collection,
  row: AnyRow,
  { before, resolved }: { before: AnyRow | undefined; resolved: ResolvedBody },
): AnyRow {
  const values: AnyRow = {};
  for (const [name, value] of Object.entries(row)) {
    if (name === 'created' || name === 'updated' || (before && value === before[name])) continue;
    const field = collection.fields.get(name);
    const seals = field?.toStored && (!before || resolved.sent.has(name));
    values[name] = seals ? field.toStored!(value, before?.[name] ?? null) : value;
  }
  return values;
}

function refuseProblems(problems: FieldProblems, message: string): void {
  if (Object.keys(problems).length > 0) throw new AppError('invalid', message, { fields: problems });
}

function refuseTaken(collection: Collection, { row, before, tx }: CheckContext, message: string): void {
  const taken = checkUnique(collection, { row, before, tx });
  if (taken) throw new AppError('invalid', taken.message ?? message, { fields: taken.problems });
}

/** A unique index refused what the checks had let pass; which one is not known, so no field is named. */
function translateUnique(error: unknown, message: string): unknown {
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  const isUnique = code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY';
  return isUnique ? new AppError('invalid', message, { cause: error }) : error;
}

/** Whether the actor may create no record of the collection, whatever it holds. */
function isRefused(collection: Collection, actor: Actor): boolean {
  return decideWithoutRecord(collection.policy.create, actor) === false;
}
