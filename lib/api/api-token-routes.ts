import 'server-only';
import { createApiToken, listApiTokens, newApiTokenSchema, revokeApiToken } from '@/lib/commands/api-tokens';
import { requireAccount, securedAccountId } from './account-guard';
import type { Route } from '@/lib/http/context';
import { readJson } from './json-body';

/** Tokens for scripts: made by whoever will use them; admins see and revoke those of others. */
export const apiTokenRoutes: Route[] = [
  {
    method: 'GET',
    path: '/api/tokens',
    handle: (context) => ({ status: 200, json: { items: listApiTokens(securedAccountId(context)) } }),
  },
  {
    method: 'POST',
    path: '/api/tokens',
    async handle(context) {
      const { id } = requireAccount(context);
      return { status: 200, json: await createApiToken(id, await readJson(context, newApiTokenSchema)) };
    },
  },
  {
    method: 'DELETE',
    path: '/api/tokens/:id',
    async handle(context) {
      await revokeApiToken(securedAccountId(context), context.params.id!);
      return { status: 204 };
    },
  },
];
