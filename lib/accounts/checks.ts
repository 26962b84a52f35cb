import { randomInt } from 'node:crypto';
import { externalAuthsTable, usersTable } from '@/db/schema/users';
import type { FieldProblem, FieldProblems } from '@/lib/errors';
import { newSecret } from '@/lib/ids';
import { limits, rateLimits } from '@/lib/vocabulary/limits';
import { checkPassword, checkConfirmation } from '@/lib/vocabulary/password-rules';
import { hashPassword, verifyOldPassword } from '@/lib/passwords';
import { turnsOfAddress } from '@/lib/auth/limited';
import { actorUserId, hasFullAccess, refuseApiToken, type Actor } from '@/lib/policies/actor';
import type { CheckContext, PrepareContext, RowOf } from '@/lib/records/collection';
import { BLANK } from '@/lib/records/fields/field';
import { isEmail } from '@/lib/records/fields/email';
import { castText } from '@/lib/records/fields/text';
import { recordAuditAlone } from '@/lib/records/audit';
import { takeTurns } from '@/lib/stores/rate-limits';
import type { StoreReader } from '@/lib/records/transaction';

type UserRow = RowOf<typeof usersTable>;
const accounts = { name: 'users', table: usersTable };

interface PreparedAccount {
  passwordHash?: string;
  isOldPasswordRight: boolean;
}

const unchangeable: FieldProblem = { code: 'validation_in_invalid', message: 'Must be a valid value.' };

/** Checks the old password and hashes the new one: both take long, so before the transaction and only where it may matter. */
export async function prepareAccount({ actor, body, before }: PrepareContext<UserRow>): Promise<PreparedAccount> {
  const password = castText(body.password);
  const confirm = castText(body.passwordConfirm);
  const isManager = hasFullAccess(actor);
  if (!before || password !== '' || changesEmail(body, before)) refuseApiToken(actor);
  const isChange = password !== '' || confirm !== '';
  const isOldPasswordRight = isManager || (isChange && (await isPasswordOf(before, castText(body.oldPassword), actor)));
  const isGood = password !== '' && password === confirm && !checkPassword(password);
  return isGood && isOldPasswordRight
    ? { passwordHash: await hashPassword(password), isOldPasswordRight }
    : { isOldPasswordRight };
}

/**
 * Nobody's and an empty one are wrong without the work. It may be tried as often as a sign-in, and the audit log hears of wrong
 * ones. Throws AppError `rate_limited` once that is used up.
 */
async function isPasswordOf(account: UserRow | undefined, password: string, actor: Actor): Promise<boolean> {
  if (!account || password === '' || password.length > limits.passwordTriedMaxLength) return false;
  const address = actor.kind === 'user' ? (actor.from?.address ?? '') : '';
  const giveBack = takeTurns([
    // By the account's id, which nobody types to sign in: wrong tries here close no door there.
    { limit: rateLimits.signInByAccount, who: account.id },
    ...turnsOfAddress({ address }, rateLimits.signInByAddress),
  ]);
  let isRight: boolean;
  try {
    isRight = await verifyOldPassword(account.passwordHash, password);
  } catch (error) {
    giveBack();
    throw error;
  }
  if (isRight) {
    giveBack();
    return true;
  }
  const on = { collection: accounts.name, record: account.id, name: account.username };
  await recordAuditAlone({ action: 'password.change', outcome: 'failure', actor, on });
  return false;
}

function changesEmail(body: PrepareContext['body'], before: UserRow): boolean {
  return body.email !== undefined && castText(body.email) !== before.email;
}

/** Username, e-mail, verified, isAdmin, enabled and password of an account, reported before all other fields. */
export function checkAccount(context: CheckContext<UserRow>): FieldProblems {
  refuseStanding(context);
  endPlantedTokens(context);
  if (!context.before && !context.sent.has('enabled')) context.row.enabled = true;
  const found: Record<string, FieldProblem | undefined> = {
    username: checkUsername(context),
    email: checkEmail(context),
    verified: checkManaged(context, 'verified'),
    isAdmin: checkManaged(context, 'isAdmin') ?? checkLastAdmin(context),
    enabled: checkEnabled(context),
    ...checkNewPassword(context),
  };
  return Object.fromEntries(
    Object.entries(found).filter((entry): entry is [string, FieldProblem] => entry[1] !== undefined),
  );
}

/** Who is let in, and as what, is not for API tokens to say: one of an admin would make itself a way in that stays. */
function refuseStanding({ row, before, actor }: CheckContext<UserRow>): void {
  const standing = ['isAdmin', 'enabled', 'verified'] as const;
  if (before && standing.some((name) => row[name] !== before[name])) refuseApiToken(actor);
}

/** Whoever linked a provider to an unverified account may not be its owner: what they hold ends once it is verified. */
function endPlantedTokens({ tx, row, before, actor }: CheckContext<UserRow>): void {
  if (!before || before.verified || !row.verified || !hasFullAccess(actor)) return;
  const links = tx.find({ name: 'external_auths', table: externalAuthsTable }, { recordId: row.id }, { limit: 1 });
  if (links.length > 0) row.tokenKey = newSecret(50);
}

function checkUsername({ tx, row, before, sent, actor }: CheckContext<UserRow>): FieldProblem | undefined {
  if (!before && row.username === '') {
    row.username = freeUsername(tx);
    return undefined;
  }
  if (before && !sent.has('username')) return undefined;
  if (row.username === '') return BLANK;
  const bytes = Buffer.byteLength(row.username);
  if (bytes < 3 || bytes > 150) return outOfRange(3, 150);
  if (!/^\w[\w.-]*$/.test(row.username)) {
    return { code: 'validation_match_invalid', message: 'Must be in a valid format.' };
  }
  if (!before && !hasFullAccess(actor)) return undefined;
  const taken = tx.findAnyCase(accounts, 'username', row.username).some(({ id }) => id !== row.id);
  return taken
    ? { code: 'validation_invalid_username', message: 'The username is invalid or already in use.' }
    : undefined;
}

function freeUsername(tx: CheckContext<UserRow>['tx']): string {
  for (;;) {
    const name = `users${randomInt(10_000, 100_000)}`;
    if (tx.findAnyCase(accounts, 'username', name).length === 0) return name;
  }
}

function checkEmail({ tx, row, before, sent, actor }: CheckContext<UserRow>): FieldProblem | undefined {
  if (!sent.has('email') || row.email === before?.email) return undefined;
  const isManager = hasFullAccess(actor);
  if (before && !isManager) return unchangeable;
  if (row.email === '') return undefined;
  if (Buffer.byteLength(row.email) > 255) return outOfRange(1, 255);
  if (!isEmail(row.email)) return { code: 'validation_is_email', message: 'Must be a valid email address.' };
  if (!isManager) return undefined;
  const taken = tx.findAnyCase(accounts, 'email', row.email).some(({ id }) => id !== row.id);
  return taken ? { code: 'validation_invalid_email', message: 'The email is invalid or already in use.' } : undefined;
}

/** What only managers change; others may send the present value back. */
function checkManaged(
  { row, before, actor }: CheckContext<UserRow>,
  name: 'verified' | 'isAdmin' | 'enabled',
): FieldProblem | undefined {
  return hasFullAccess(actor) || row[name] === (before?.[name] ?? name === 'enabled') ? undefined : unchangeable;
}

function checkLastAdmin({ tx, row, before }: CheckContext<UserRow>): FieldProblem | undefined {
  if (!before?.isAdmin || row.isAdmin || !before.enabled || hasOtherAdmin(tx, row.id)) return undefined;
  return { code: 'validation_last_admin', message: 'The last admin must stay one.' };
}

/** Whether someone else may still manage the console. */
export function hasOtherAdmin(tx: StoreReader, id: string): boolean {
  return tx.find(accounts, { isAdmin: true, enabled: true }, { limit: 2 }).some((user) => user.id !== id);
}

/** Disabling ends every token of the account, by its key. */
function checkEnabled(context: CheckContext<UserRow>): FieldProblem | undefined {
  const { tx, row, before, actor } = context;
  const refused = checkManaged(context, 'enabled');
  if (refused || row.enabled || !before?.enabled) return refused;
  if (actorUserId(actor) === row.id) {
    return { code: 'validation_own_account', message: 'You can not disable your own account.' };
  }
  if (before.isAdmin && !hasOtherAdmin(tx, row.id)) {
    return { code: 'validation_last_admin', message: 'The last admin can not be disabled.' };
  }
  row.tokenKey = newSecret(50);
  return undefined;
}

/** Password, its confirmation and the old one: whichever of them is sent asks for the others. */
function checkNewPassword(context: CheckContext<UserRow>): Record<string, FieldProblem | undefined> {
  const { row, before, body, prepared } = context;
  const [password, confirm, old] = [body.password, body.passwordConfirm, body.oldPassword].map(castText);
  if (before && password === '' && confirm === '' && old === '') return {};
  const { passwordHash, isOldPasswordRight } = prepared as PreparedAccount;
  if (passwordHash) {
    row.passwordHash = passwordHash;
    row.tokenKey = newSecret(50);
  }
  const wrongOld = { code: 'validation_invalid_old_password', message: 'Missing or invalid old password.' };
  const asksForOld = before && !isOldPasswordRight && (password !== '' || confirm !== '');
  return {
    password: password === '' ? BLANK : checkPassword(password!),
    passwordConfirm: checkConfirmation(password!, confirm!),
    oldPassword: !asksForOld ? undefined : old === '' ? BLANK : wrongOld,
  };
}

function outOfRange(min: number, max: number): FieldProblem {
  return { code: 'validation_length_out_of_range', message: `The length must be between ${min} and ${max}.` };
}
