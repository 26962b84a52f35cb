import 'server-only';
import { z } from 'zod';
import { anyAccountById, type Account } from '@/lib/auth/accounts';
import { inSeconds, provenAt } from '@/lib/auth/fresh-admin';
import { issueToken } from '@/lib/auth/tokens';
import { nowMs } from '@/lib/clock';
import { users } from '../collection';
import { confirmPasswordReset, requestPasswordReset } from '../reset-password';
import { emailShape, refuse, textsOf } from '@/lib/http/form-body';
import { checkAddress } from '@/lib/records/fields/email';
import { AppError, NOT_FOUND_MESSAGE } from '@/lib/errors';
import type { RequestContext, Route } from '@/lib/http/context';
import { defineRoute } from '@/lib/http/route';
import type { AnyRow } from '@/lib/records/collection';
import { BLANK } from '@/lib/records/fields/field';
import { queryFor } from '@/lib/records/query';
import { listRecords, viewRecord, type RecordPage } from '@/lib/records/reader';
import { deleteRecord } from '@/lib/records/remover';
import { createRecord, updateRecord } from '@/lib/records/writer';
import { confirmations, confirmCall, mailCall } from '../mail-calls';
import { requireAdmin, type AdminActor } from '@/lib/auth/admin-guard';
import { LIST_QUERY, listQueryOf, pageOf } from '@/lib/http/list-query';
import { passwordShape } from './auth-routes';
import { signInByPassword } from './password-sign-in';

const BASE = '/api/admins';

/** What an admin call may set; whatever else an account has is set by its record. */
const changesShape = z.object({
  email: emailShape.optional(),
  password: z.string().optional(),
  passwordConfirm: z.string().optional(),
  name: z.string().optional(),
});
const CHANGEABLE = Object.keys(changesShape.shape);

const adminSchema = z.strictObject({
  id: z.string(),
  created: z.string(),
  updated: z.string(),
  email: z.string(),
  name: z.string(),
  avatar: z.literal(0),
});
type Admin = z.output<typeof adminSchema>;
const adminAnswerSchema = z.strictObject({ token: z.string(), admin: adminSchema });

/** An account with isAdmin as the administration calls show it. */
function toAdmin(record: unknown): Admin {
  const { id, created, updated, email, name } = record as Admin;
  return { id, created, updated, email, name, avatar: 0 };
}

/** `at`: when the caller proved who they are. A refreshed token proves nothing anew. */
function adminAnswer(account: Account, at: number): z.output<typeof adminAnswerSchema> {
  const admin: AdminActor = { kind: 'admin', id: account.id };
  const token = issueToken(account, 'adminAuth', users.id, { at });
  return { token, admin: toAdmin(viewRecord(users, admin, account.id)) };
}

/** The same password as everywhere; it opens these calls to accounts with isAdmin only. */
function signIn(context: RequestContext, body: AnyRow): Promise<Account> {
  const isAdmitted = (account: Account): boolean => account.isAdmin;
  const { identity, password } = textsOf(body, 'identity', 'password');
  refuse({ identity: checkAddress(identity), password: password === '' ? BLANK : undefined });
  return signInByPassword(context, body, { action: 'signIn.admin', isAdmitted });
}

function requireAdminAccount(id: string): Account {
  const account = anyAccountById(id);
  if (!account?.isAdmin) throw new AppError('not_found', NOT_FOUND_MESSAGE);
  return account;
}

/** The admin who calls, and the account with isAdmin that the path names. */
function requireNamed(context: RequestContext): { admin: AdminActor; id: string } {
  const admin = requireAdmin(context);
  return { admin, id: requireAdminAccount(context.params.id!).id };
}

function list(context: RequestContext, admin: AdminActor): RecordPage<Admin> {
  const { filter, ...query } = listQueryOf(context);
  // By itself first: one whose parentheses only fit in here would get around the condition.
  queryFor(users, admin, { filter, sort: '', rule: 'list' });
  const restricted = filter === '' ? 'isAdmin = true' : `isAdmin = true && (${filter}\n)`;
  const page = listRecords(users, admin, { ...query, filter: restricted });
  return { ...page, items: page.items.map(toAdmin) };
}

function changesOf(body: AnyRow): AnyRow {
  return Object.fromEntries(CHANGEABLE.filter((key) => Object.hasOwn(body, key)).map((key) => [key, body[key]]));
}

const signInRoutes: Route[] = [
  defineRoute({
    method: 'POST',
    path: `${BASE}/auth-with-password`,
    summary: 'The administration token',
    bodyShape: passwordShape.extend({ identity: emailShape }),
    answer: adminAnswerSchema,
    picks: true,
    example: { identity: 'ada@example.com', password: 'Berth!pass1' },
    handle: async ({ context, body }) => adminAnswer(await signIn(context, body), inSeconds(nowMs())),
  }),
  defineRoute({
    method: 'POST',
    path: `${BASE}/auth-refresh`,
    summary: 'A fresh administration token',
    guard: requireAdmin,
    answer: adminAnswerSchema,
    picks: true,
    handle: ({ context, caller: { id } }) =>
      adminAnswer(requireAdminAccount(id), provenAt(context.header('authorization'))),
  }),
  mailCall({
    path: `${BASE}/request-password-reset`,
    summary: 'Mails a link to set a password',
    kind: 'passwordReset',
    request: (body) => requestPasswordReset(body, 'adminPasswordReset'),
  }),
  confirmCall({
    path: `${BASE}/confirm-password-reset`,
    summary: 'Sets a password by a mailed token',
    ...confirmations.newPassword,
    confirm: (body, from) => confirmPasswordReset(body, from, 'adminPasswordReset'),
  }),
];

/** The administration calls about accounts with isAdmin. */
export const adminRoutes: Route[] = [
  ...signInRoutes,
  defineRoute({
    method: 'GET',
    path: BASE,
    summary: 'Accounts with isAdmin',
    query: LIST_QUERY,
    guard: requireAdmin,
    answer: pageOf(adminSchema),
    picks: true,
    handle: ({ context, caller }) => list(context, caller),
  }),
  defineRoute({
    method: 'POST',
    path: BASE,
    summary: 'Makes an account with isAdmin',
    guard: requireAdmin,
    bodyShape: changesShape.required({ email: true, password: true, passwordConfirm: true }),
    answer: adminSchema,
    picks: true,
    example: { email: 'grace@example.com', password: 'Berth!pass1', passwordConfirm: 'Berth!pass1', name: 'Grace' },
    async handle({ body, caller }) {
      const values = { ...changesOf(body), isAdmin: true, verified: true };
      return toAdmin(await createRecord(users, caller, { body: values }));
    },
  }),
  defineRoute({
    method: 'GET',
    path: `${BASE}/:id`,
    summary: 'One account with isAdmin',
    guard: requireNamed,
    answer: adminSchema,
    picks: true,
    handle: ({ caller: { admin, id } }) => toAdmin(viewRecord(users, admin, id)),
  }),
  defineRoute({
    method: 'PATCH',
    path: `${BASE}/:id`,
    summary: 'Changes one',
    guard: requireNamed,
    bodyShape: changesShape,
    answer: adminSchema,
    picks: true,
    example: { name: 'Grace Hopper' },
    handle: async ({ body, caller: { admin, id } }) =>
      toAdmin(await updateRecord(users, admin, { id, body: changesOf(body) })),
  }),
  defineRoute({
    method: 'DELETE',
    path: `${BASE}/:id`,
    summary: 'Deletes one, but never the last',
    guard: requireNamed,
    handle: ({ caller: { admin, id } }) => deleteRecord(users, admin, id),
  }),
];
