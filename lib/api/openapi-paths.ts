import type { AnyRow } from '@/lib/records/collection';

/** Calls beside the records: method, path, what it does, what it is sent, what it answers. */
const CALLS: readonly [method: string, path: string, summary: string, body: readonly string[], status: number][] = [
  ['get', '/api/collections/users/auth-methods', 'How people may sign in', [], 200],
  ['post', '/api/collections/users/auth-with-password', 'Signs in', ['identity', 'password'], 200],
  [
    'post',
    '/api/collections/users/auth-with-oauth2',
    'Signs in through a provider',
    ['provider', 'code', 'codeVerifier', 'redirectUrl'],
    200,
  ],
  ['post', '/api/collections/users/auth-refresh', 'A fresh token', [], 200],
  ['post', '/api/collections/users/request-password-reset', 'Mails a link to set a password', ['email'], 204],
  [
    'post',
    '/api/collections/users/confirm-password-reset',
    'Sets a password by a mailed token',
    ['token', 'password', 'passwordConfirm'],
    204,
  ],
  ['post', '/api/collections/users/request-verification', 'Mails a link to verify an address', ['email'], 204],
  ['post', '/api/collections/users/confirm-verification', 'Verifies an address by a mailed token', ['token'], 204],
  ['post', '/api/collections/users/request-email-change', 'Mails a link to a new address', ['newEmail'], 204],
  ['post', '/api/collections/users/confirm-email-change', 'Changes the address', ['token', 'password'], 204],
  ['get', '/api/collections/users/records/{id}/external-auths', 'Linked providers', [], 200],
  ['delete', '/api/collections/users/records/{id}/external-auths/{provider}', 'Unlinks a provider', [], 204],
  ['get', '/api/oauth2-redirect', 'Where a provider sends people back to; `state`, `code`, `error`', [], 307],
  ['post', '/api/oauth2-redirect', 'The same, for providers that post', ['state', 'code', 'error'], 303],
  ['post', '/api/files/token', 'A token for protected files, for two minutes', [], 200],
  ['get', '/api/files/{collection}/{id}/{name}', 'A stored file; `thumb`, `download`, `token`', [], 200],
  ['get', '/api/realtime', 'The event stream', [], 200],
  ['post', '/api/realtime', 'Sets what a stream listens to', ['clientId', 'subscriptions'], 204],
  ['get', '/api/openapi.json', 'This document', [], 200],
  ['get', '/api/health', 'Whether the console is well', [], 200],
  ['get', '/api/setup', 'Whether the first account is missing', [], 200],
  [
    'post',
    '/api/setup',
    'Creates the first account',
    ['email', 'name', 'username', 'password', 'passwordConfirm'],
    200,
  ],
  ['get', '/api/sessions', 'Where the account is signed in', [], 200],
  ['delete', '/api/sessions/{id}', 'Ends a session', [], 204],
  ['delete', '/api/session/everywhere', 'Ends every session and token of the account', [], 204],
  ['get', '/api/tokens', 'The account’s API tokens', [], 200],
  ['post', '/api/tokens', 'Makes an API token; it is shown this once', ['name', 'scope', 'expiresInDays'], 200],
  ['delete', '/api/tokens/{id}', 'Revokes an API token', [], 204],
  ['get', '/api/second-factor', 'What secures the sign-in beside the password', [], 200],
  ['delete', '/api/second-factor', 'Takes the factors of `?user=` away; for admins', [], 204],
  ['post', '/api/second-factor/totp', 'A secret for an authenticator app', ['password'], 200],
  ['post', '/api/second-factor/totp/confirm', 'Turns the authenticator app on', ['code'], 200],
  ['delete', '/api/second-factor/totp', 'Turns the authenticator app off', ['password', 'code'], 204],
  ['post', '/api/second-factor/recovery-codes', 'Ten new recovery codes', ['password'], 200],
  ['post', '/api/second-factor/finish', 'Finishes a sign-in by its code', ['pendingToken', 'code'], 200],
  ['post', '/api/passkeys/options', 'What a browser needs to make a passkey', ['password'], 200],
  ['post', '/api/passkeys', 'Keeps a passkey', ['name', 'response'], 200],
  ['patch', '/api/passkeys/{id}', 'Renames a passkey', ['name'], 200],
  ['delete', '/api/passkeys/{id}', 'Removes a passkey', ['password', 'code'], 204],
  ['post', '/api/passkeys/sign-in/options', 'What a browser needs to sign in with a passkey', [], 200],
  ['post', '/api/passkeys/sign-in', 'Signs in with a passkey', ['response'], 200],
  ['post', '/api/workspace/{id}/request', 'Starts, stops or redeploys a workspace', ['action'], 202],
  ['get', '/api/workspace/{id}/logs', 'A workspace’s log as an event stream', [], 200],
  ['get', '/api/workspace/{id}/logs/download', 'A workspace’s log as a file', [], 200],
  ['get', '/api/workspace/{id}/changes', 'What a redeployment would change', [], 200],
  ['post', '/api/image/{id}/request', 'Builds an image or cancels its build', ['action'], 202],
  ['get', '/api/image/{id}/build-log', 'A build’s log as an event stream', [], 200],
  ['post', '/api/hosts/join-token', 'A token for a new host’s agent', ['name', 'reusable'], 200],
  ['post', '/api/admins/auth-with-password', 'The administration token', ['identity', 'password'], 200],
  ['post', '/api/admins/auth-refresh', 'A fresh administration token', [], 200],
  ['post', '/api/admins/request-password-reset', 'Mails a link to set a password', ['email'], 204],
  [
    'post',
    '/api/admins/confirm-password-reset',
    'Sets a password by a mailed token',
    ['token', 'password', 'passwordConfirm'],
    204,
  ],
  ['get', '/api/admins', 'Accounts with isAdmin', [], 200],
  ['post', '/api/admins', 'Makes an account with isAdmin', ['email', 'password', 'passwordConfirm', 'name'], 200],
  ['get', '/api/admins/{id}', 'One account with isAdmin', [], 200],
  ['patch', '/api/admins/{id}', 'Changes one', ['email', 'password', 'passwordConfirm', 'name'], 200],
  ['delete', '/api/admins/{id}', 'Deletes one, but never the last', [], 204],
  ['get', '/api/settings', 'All settings, secrets masked', [], 200],
  ['patch', '/api/settings', 'Merges settings', [], 200],
  ['post', '/api/settings/test/email', 'Sends a mail', ['email', 'template'], 204],
  [
    'post',
    '/api/settings/apple/generate-client-secret',
    'Signs a client secret for Apple',
    ['clientId', 'teamId', 'keyId', 'privateKey', 'duration'],
    200,
  ],
  ['post', '/api/console/test-mail', 'Sends a mail, for admins', ['email'], 204],
  ['post', '/api/console/discover-sso', 'The addresses of a sign-in provider', ['issuer'], 200],
  [
    'post',
    '/api/console/check-sso',
    'Tries a sign-in provider',
    ['clientId', 'authUrl', 'tokenUrl', 'userInfoUrl'],
    200,
  ],
  ['post', '/api/settings/test/s3', 'Always refused: files are kept in the data folder', ['filesystem'], 400],
  ['get', '/api/logs', 'What was asked of the API', [], 200],
  ['get', '/api/logs/stats', 'Requests by the hour', [], 200],
  ['get', '/api/logs/{id}', 'One request', [], 200],
  ['get', '/api/audit/export', 'The audit log as a file; `format`, `filter`, `sort`', [], 200],
  ['get', '/api/collections', 'The collections', [], 200],
  ['get', '/api/collections/{collection}', 'One collection', [], 200],
  ['get', '/api/backups', 'The backups', [], 200],
  ['post', '/api/backups', 'Makes a backup', ['name'], 204],
  ['post', '/api/backups/upload', 'Takes a backup from elsewhere', ['file'], 204],
  ['get', '/api/backups/{key}', 'Downloads a backup with an administration file token', [], 200],
  ['delete', '/api/backups/{key}', 'Deletes a backup', [], 204],
  ['post', '/api/backups/{key}/restore', 'Restores a backup', [], 204],
];

/** The calls beside the records, as OpenAPI paths. */
export function otherPaths(): AnyRow {
  const paths: Record<string, AnyRow> = {};
  for (const [method, path, summary, body, status] of CALLS) {
    const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
    }));
    const properties = Object.fromEntries(body.map((name) => [name, {}]));
    (paths[path] ??= {})[method] = {
      tags: [tagOf(path)],
      summary,
      ...(parameters.length > 0 && { parameters }),
      ...(body.length > 0 && {
        requestBody: { content: { 'application/json': { schema: { type: 'object', properties } } } },
      }),
      responses: { [status]: { description: 'Done' }, default: { $ref: '#/components/responses/Error' } },
    };
  }
  return paths;
}

function tagOf(path: string): string {
  const [, , area = '', name = ''] = path.split('/');
  return area === 'collections' && name === 'users' ? 'users' : area;
}
