import 'server-only';
import { listCollections } from './collection-list';
import { requireAdmin } from '@/lib/auth/admin-guard';
import { AppError, NOT_FOUND_MESSAGE } from '@/lib/errors';
import type { Route } from '@/lib/http/context';
import { LIST_QUERY, listQueryOf, pageOf } from '@/lib/http/list-query';
import { defineRoute } from '@/lib/http/route';
import { collectionSchema, describeCollection } from '@/lib/records/describe';
import { findCollection } from '@/lib/records/registry';

const ONE = '/api/collections/:collection';

function refusedChange(method: string, path: string): Route {
  return defineRoute({
    method,
    path,
    summary: 'Always refused: the collections are part of Berth',
    guard: requireAdmin,
    status: 400,
    handle() {
      throw new AppError('invalid', 'The collections are part of Berth and can not be changed over the API.');
    },
  });
}

/** Collections can be read; they are code. */
export const collectionRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/collections',
    summary: 'The collections',
    query: LIST_QUERY,
    guard: requireAdmin,
    answer: pageOf(collectionSchema),
    picks: true,
    handle: ({ context, caller }) => listCollections(caller, listQueryOf(context)),
  }),
  defineRoute({
    method: 'GET',
    path: ONE,
    summary: 'One collection',
    guard: requireAdmin,
    answer: collectionSchema,
    picks: true,
    handle({ context }) {
      const collection = findCollection(context.params.collection!, { anyCase: true });
      if (!collection) throw new AppError('not_found', NOT_FOUND_MESSAGE);
      return describeCollection(collection);
    },
  }),
  refusedChange('POST', '/api/collections'),
  refusedChange('PUT', '/api/collections/import'),
  refusedChange('PATCH', ONE),
  refusedChange('DELETE', ONE),
];
