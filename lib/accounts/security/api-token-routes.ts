import 'server-only';
import { z } from 'zod';
import { apiTokenSchema, createApiToken, listApiTokens, newApiTokenSchema, revokeApiToken } from './api-tokens';
import { requireAccount, securedAccountId, USER_QUERY } from '../guard';
import type { Route } from '@/lib/http/context';
import { defineRoute } from '@/lib/http/route';
import { auditCredential } from './session-audit';

/** Tokens for scripts: made by whoever will use them; admins see and revoke those of others. */
export const apiTokenRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/tokens',
    summary: 'The account’s API tokens',
    query: USER_QUERY,
    guard: securedAccountId,
    answer: z.strictObject({ items: z.array(apiTokenSchema) }),
    handle: ({ caller: accountId }) => ({ items: listApiTokens(accountId) }),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/tokens',
    summary: 'Makes an API token; it is shown this once',
    guard: requireAccount,
    body: newApiTokenSchema,
    answer: z.strictObject({ token: z.string(), record: apiTokenSchema }),
    example: { name: 'backup script', scope: 'read', expiresInDays: 90 },
    async handle({ context, body, caller: { id } }) {
      const made = await createApiToken(id, body);
      const details = { name: made.record.name, scope: made.record.scope };
      await auditCredential(context, 'apiToken.create', { accountId: id, details });
      return made;
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/tokens/:id',
    summary: 'Revokes an API token',
    query: USER_QUERY,
    guard: securedAccountId,
    async handle({ context, caller: accountId }) {
      await revokeApiToken(accountId, context.params.id!);
      await auditCredential(context, 'apiToken.delete', { accountId, details: {} });
    },
  }),
];
