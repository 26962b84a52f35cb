import 'server-only';
import { listCollections } from './collection-list';
import { AppError, NOT_FOUND_MESSAGE } from '@/lib/errors';
import type { RequestContext } from '@/lib/http/context';
import { describeCollection } from '@/lib/records/describe';
import { findCollection } from '@/lib/records/registry';
import { adminRoute, answerJson, type AdminActor } from '@/lib/auth/admin-guard';
import { listQueryOf } from '@/lib/http/list-query';

function handleList(context: RequestContext, admin: AdminActor) {
  return answerJson(context, listCollections(admin, listQueryOf(context)));
}

function handleView(context: RequestContext) {
  const collection = findCollection(context.params.collection!, { anyCase: true });
  if (!collection) throw new AppError('not_found', NOT_FOUND_MESSAGE);
  return answerJson(context, describeCollection(collection));
}

function refuseChange(): never {
  throw new AppError('invalid', 'The collections are part of Berth and can not be changed over the API.');
}

const ONE = '/api/collections/:collection';

/** Collections can be read; they are code. */
export const collectionRoutes = [
  adminRoute('GET', '/api/collections', handleList),
  adminRoute('GET', ONE, handleView),
  adminRoute('POST', '/api/collections', refuseChange),
  adminRoute('PUT', '/api/collections/import', refuseChange),
  adminRoute('PATCH', ONE, refuseChange),
  adminRoute('DELETE', ONE, refuseChange),
];
