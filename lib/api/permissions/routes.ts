import 'server-only';
import { requireLoggedIn } from '@/lib/auth/require-logged-in';
import type { Route } from '@/lib/http/context';
import { defineRoute } from '@/lib/http/route';
import { reachSchema, tellReach } from './reach';
import { tellWhy, whySchema } from './why';

export const permissionRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/permissions/why',
    summary: 'Why somebody may do what with a record: the rules, permissions and groups that it rests on',
    query: {
      collection: 'Of the record: hosts, images, workspaces, volumes, networks, files or domains',
      record: 'Its id',
      user: 'Whose rights they are',
    },
    guard: requireLoggedIn,
    answer: whySchema,
    handle: ({ context: { query }, caller }) =>
      tellWhy(caller, {
        collection: query.get('collection') ?? '',
        record: query.get('record') ?? '',
        user: query.get('user') ?? '',
      }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/permissions/reach',
    summary: 'Everything that a person may reach, and through what',
    query: { user: 'Whose reach it is' },
    guard: requireLoggedIn,
    answer: reachSchema,
    handle: ({ context: { query }, caller }) => tellReach(caller, query.get('user') ?? ''),
  }),
];
