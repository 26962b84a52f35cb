import 'server-only';
import { requestActor } from '@/lib/auth/actor';
import { AppError, NOT_FOUND_MESSAGE } from '@/lib/errors';
import type { KernelResponse, RequestContext, Route } from '@/lib/http/context';
import type { Collection } from '@/lib/records/collection';
import { listText, viewText, type ShowOptions } from '@/lib/records/reader';
import { findCollection } from '@/lib/records/registry';
import { deleteRecord } from '@/lib/records/remover';
import { createRecord, refuseCreate, refuseUpdate, updateRecord } from '@/lib/records/writer';
import { isTrue, listQueryOf } from '@/lib/http/list-query';
import { readRecordBody } from '@/lib/http/record-body';

/** The record calls of every collection. */
export const recordRoutes: Route[] = [
  { method: 'GET', path: '/api/collections/:collection/records', handle: handleList },
  { method: 'POST', path: '/api/collections/:collection/records', handle: handleCreate },
  { method: 'GET', path: '/api/collections/:collection/records/:id', handle: handleView },
  { method: 'PATCH', path: '/api/collections/:collection/records/:id', handle: handleUpdate },
  { method: 'DELETE', path: '/api/collections/:collection/records/:id', handle: handleDelete },
];

const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8' };

function asJson(body: string): KernelResponse {
  return { status: 200, headers: JSON_HEADERS, body };
}

async function handleList(context: RequestContext) {
  const collection = collectionOf(context);
  const options = { ...listQueryOf(context), ...showOf(context), asked: context.rawQuery };
  const text = listText(collection, requestActor(context), options);
  return asJson(typeof text === 'string' ? text : await text);
}

function handleView(context: RequestContext) {
  const options = { id: context.params.id!, asked: context.rawQuery, ...showOf(context) };
  return asJson(viewText(collectionOf(context), requestActor(context), options));
}

async function handleCreate(context: RequestContext) {
  const collection = collectionOf(context);
  const actor = requestActor(context);
  refuseCreate(collection, actor);
  const input = await readRecordBody(context, collection, { isGuest: actor.kind === 'guest' });
  return { status: 200, json: await createRecord(collection, actor, { ...input, show: showOf(context) }) };
}

async function handleUpdate(context: RequestContext) {
  const collection = collectionOf(context);
  const actor = requestActor(context);
  const id = context.params.id!;
  refuseUpdate(collection, actor, id);
  const input = await readRecordBody(context, collection, { isGuest: actor.kind === 'guest' });
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
    can: isTrue(query.get('can')),
  };
}
