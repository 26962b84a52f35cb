import 'server-only';
import '@/lib/collections/all';
import { requestActor } from '@/lib/auth/actor';
import { AppError } from '@/lib/errors';
import { limits } from '@/lib/domain/limits';
import type { RequestContext, Route } from '@/lib/http/context';
import type { Collection } from '@/lib/records/collection';
import { GENERIC_MESSAGE, NOT_FOUND_MESSAGE } from '@/lib/records/messages';
import { listRecords, viewRecord, type ShowOptions } from '@/lib/records/reader';
import { findCollection } from '@/lib/records/registry';
import { deleteRecord } from '@/lib/records/remover';
import { createRecord, updateRecord } from '@/lib/records/writer';
import { readRecordBody } from './record-body';

const TRUE = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);
const FALSE = new Set(['', '0', 'f', 'F', 'FALSE', 'false', 'False']);

/** The record calls of every collection. */
export const recordRoutes: Route[] = [
  { method: 'GET', path: '/api/collections/:collection/records', handle: handleList },
  { method: 'POST', path: '/api/collections/:collection/records', handle: handleCreate },
  { method: 'GET', path: '/api/collections/:collection/records/:id', handle: handleView },
  { method: 'PATCH', path: '/api/collections/:collection/records/:id', handle: handleUpdate },
  { method: 'DELETE', path: '/api/collections/:collection/records/:id', handle: handleDelete },
];

function handleList(context: RequestContext) {
  const collection = collectionOf(context);
  const { query } = context;
  if (context.rawQuery.length > limits.queryStringChars) throw new AppError('invalid', 'Query string is too large.');
  const json = listRecords(collection, requestActor(context), {
    page: integerOf(query.get('page')),
    perPage: integerOf(query.get('perPage')),
    skipTotal: boolOf(query.get('skipTotal')),
    filter: query.get('filter') ?? '',
    sort: query.get('sort') ?? '',
    ...showOf(context),
  });
  return { status: 200, json };
}

function handleView(context: RequestContext) {
  const json = viewRecord(collectionOf(context), requestActor(context), context.params.id!, showOf(context));
  return { status: 200, json };
}

async function handleCreate(context: RequestContext) {
  const collection = collectionOf(context);
  const actor = requestActor(context);
  const input = await readRecordBody(context, collection, { isGuest: actor.kind === 'guest' });
  return { status: 200, json: await createRecord(collection, actor, { ...input, show: showOf(context) }) };
}

async function handleUpdate(context: RequestContext) {
  const collection = collectionOf(context);
  const actor = requestActor(context);
  const input = await readRecordBody(context, collection, { isGuest: actor.kind === 'guest' });
  const id = context.params.id!;
  return { status: 200, json: await updateRecord(collection, actor, { id, ...input, show: showOf(context) }) };
}

async function handleDelete(context: RequestContext) {
  await deleteRecord(collectionOf(context), requestActor(context), context.params.id!);
  return { status: 204 };
}

function collectionOf({ params }: RequestContext): Collection {
  const collection = findCollection(params.collection!, { anyCase: true });
  if (!collection) throw new AppError('not_found', NOT_FOUND_MESSAGE);
  return collection;
}

function showOf({ query }: RequestContext): ShowOptions {
  return {
    expand: query.get('expand') ?? '',
    fields: query.get('fields') ?? '',
    can: TRUE.has(query.get('can') ?? ''),
  };
}

function integerOf(text: string | null): number | undefined {
  if (text === null || text === '') return undefined;
  const value = Number(text);
  if (!/^[+-]?\d+$/.test(text) || !Number.isSafeInteger(value)) throw new AppError('invalid', GENERIC_MESSAGE);
  return value;
}

function boolOf(text: string | null): boolean {
  if (text === null || FALSE.has(text)) return false;
  if (!TRUE.has(text)) throw new AppError('invalid', GENERIC_MESSAGE);
  return true;
}
