import 'server-only';
import { createApiToken, listApiTokens, newApiTokenSchema, revokeApiToken } from './api-tokens';
import { requireAccount, securedAccountId } from '../guard';
import type { Route } from '@/lib/http/context';
import { readJson } from '@/lib/http/json-body';
import { auditCredential } from './session-audit';

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
      const json = await createApiToken(id, await readJson(context, newApiTokenSchema));
      const details = { name: json.record.name, scope: json.record.scope };
      await auditCredential(context, 'apiToken.create', { accountId: id, details });
      return { status: 200, json };
    },
  },
  {
    method: 'DELETE',
    path: '/api/tokens/:id',
    async handle(context) {
      const accountId = securedAccountId(context);
      await revokeApiToken(accountId, context.params.id!);
      await auditCredential(context, 'apiToken.delete', { accountId, details: {} });
      return { status: 204 };
    },
  },
];
