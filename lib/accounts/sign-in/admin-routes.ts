import 'server-only';
import { anyAccountById, type Account } from '@/lib/auth/accounts';
import { issueToken } from '@/lib/auth/tokens';
import { users } from '../collection';
import { confirmPasswordReset, requestPasswordReset } from '../reset-password';
import { rateLimits } from '@/lib/vocabulary/limits';
import { refuse, textsOf } from '@/lib/http/form-body';
import { checkAddress } from '@/lib/records/fields/email';
import { AppError, NOT_FOUND_MESSAGE } from '@/lib/errors';
import { readSmallBody } from '@/lib/http/body';
import type { KernelResponse, RequestContext, Route } from '@/lib/http/context';
import type { AnyRow } from '@/lib/records/collection';
import { BLANK } from '@/lib/records/fields/field';
import { queryFor } from '@/lib/records/query';
import { listRecords, viewRecord } from '@/lib/records/reader';
import { deleteRecord } from '@/lib/records/remover';
import { createRecord, updateRecord } from '@/lib/records/writer';
import { afterAnswer, mailTurns } from '../routes';
import { adminRoute, answerJson, type AdminActor } from '@/lib/auth/admin-guard';
import { originOf } from '@/lib/auth/call-origin';
import { limitCalls, limitGuesses, turnsOfAddress } from '@/lib/auth/limited';
import { listQueryOf } from '@/lib/http/list-query';
import { signInByPassword } from './password-sign-in';

/** What an admin call may set; whatever else an account has is set by its record. */
const CHANGEABLE = ['email', 'password', 'passwordConfirm', 'name'] as const;

/** An account with isAdmin as the administration calls show it. */
function toAdmin(record: unknown): AnyRow {
  const { id, created, updated, email, name } = record as AnyRow;
  return { id, created, updated, email, name, avatar: 0 };
}

function adminAnswer(context: RequestContext, account: Account): KernelResponse {
  const admin: AdminActor = { kind: 'admin', id: account.id };
  const token = issueToken(account, 'adminAuth', users.id);
  return answerJson(context, { token, admin: toAdmin(viewRecord(users, admin, account.id)) });
}

/** The same password as everywhere; it opens these calls to accounts with isAdmin only. */
async function authWithPassword(context: RequestContext): Promise<KernelResponse> {
  const isAdmitted = (account: Account): boolean => account.isAdmin;
  const body = await readSmallBody(context);
  const { identity, password } = textsOf(body, 'identity', 'password');
  refuse({ identity: checkAddress(identity), password: password === '' ? BLANK : undefined });
  return adminAnswer(context, await signInByPassword(context, body, { action: 'signIn.admin', isAdmitted }));
}

function requireAdminAccount(id: string): Account {
  const account = anyAccountById(id);
  if (!account?.isAdmin) throw new AppError('not_found', NOT_FOUND_MESSAGE);
  return account;
}

function handleList(context: RequestContext, admin: AdminActor): KernelResponse {
  const { filter, ...query } = listQueryOf(context);
  // By itself first: one whose parentheses only fit in here would get around the condition.
  queryFor(users, admin, { filter, sort: '', rule: 'list' });
  const restricted = filter === '' ? 'isAdmin = true' : `isAdmin = true && (${filter}\n)`;
  const page = listRecords(users, admin, { ...query, filter: restricted });
  return answerJson(context, { ...page, items: page.items.map(toAdmin) });
}

function handleView(context: RequestContext, admin: AdminActor): KernelResponse {
  const { id } = requireAdminAccount(context.params.id!);
  return answerJson(context, toAdmin(viewRecord(users, admin, id)));
}

function changesOf(body: AnyRow): AnyRow {
  return Object.fromEntries(CHANGEABLE.filter((key) => Object.hasOwn(body, key)).map((key) => [key, body[key]]));
}

async function handleCreate(context: RequestContext, admin: AdminActor): Promise<KernelResponse> {
  const body = { ...changesOf(await readSmallBody(context)), isAdmin: true, verified: true };
  return answerJson(context, toAdmin(await createRecord(users, admin, { body })));
}

async function handleUpdate(context: RequestContext, admin: AdminActor): Promise<KernelResponse> {
  const { id } = requireAdminAccount(context.params.id!);
  const body = changesOf(await readSmallBody(context));
  return answerJson(context, toAdmin(await updateRecord(users, admin, { id, body })));
}

async function handleDelete(context: RequestContext, admin: AdminActor): Promise<KernelResponse> {
  const { id } = requireAdminAccount(context.params.id!);
  await deleteRecord(users, admin, id);
  return { status: 204 };
}

/** The administration calls about accounts with isAdmin. */
export const adminRoutes: Route[] = [
  { method: 'POST', path: '/api/admins/auth-with-password', handle: authWithPassword },
  adminRoute('POST', '/api/admins/auth-refresh', (context, { id }) => adminAnswer(context, requireAdminAccount(id))),
  {
    method: 'POST',
    path: '/api/admins/request-password-reset',
    async handle(context) {
      const body = await readSmallBody(context);
      const mail = requestPasswordReset(body, 'adminPasswordReset');
      limitCalls(mailTurns(context, body, 'passwordReset'));
      afterAnswer(mail);
      return { status: 204 };
    },
  },
  {
    method: 'POST',
    path: '/api/admins/confirm-password-reset',
    async handle(context) {
      const body = await readSmallBody(context);
      await limitGuesses(turnsOfAddress(context, rateLimits.confirmByAddress), () =>
        confirmPasswordReset(body, originOf(context, 'mail'), 'adminPasswordReset'),
      );
      return { status: 204 };
    },
  },
  adminRoute('GET', '/api/admins', handleList),
  adminRoute('POST', '/api/admins', handleCreate),
  adminRoute('GET', '/api/admins/:id', handleView),
  adminRoute('PATCH', '/api/admins/:id', handleUpdate),
  adminRoute('DELETE', '/api/admins/:id', handleDelete),
];
