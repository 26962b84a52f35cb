import 'server-only';
import '@/lib/collections/all';
import { users } from '@/lib/collections/users';
import { accountById, hasAnyAccount, type Account } from '@/lib/auth/accounts';
import { AppError, type FieldProblems } from '@/lib/errors';
import { system } from '@/lib/policies/actor';
import type { Upload } from '@/lib/records/uploads';
import { createRecord } from '@/lib/records/writer';
import { singleton } from '@/lib/singleton';

const CLOSED = 'The setup is done already.';

/** Whether the console waits for its first person. */
export function isSetupNeeded(): boolean {
  return !hasAnyAccount();
}

export interface SetupInput {
  body: Readonly<Record<string, unknown>>;
  uploads: Record<string, Upload[]>;
}

/** Set-ups run one after the other, so of two that race one finds the door closed. */
const turn = singleton('setup-turn', () => ({ last: Promise.resolve() as Promise<unknown> }));

/**
 * Creates the first account, an admin. Throws AppError `forbidden` once anyone has an account, `invalid` with the problems
 * by field otherwise.
 */
export function finishSetup(input: SetupInput): Promise<Account> {
  const mine = turn.last.then(() => createFirstAccount(input));
  turn.last = mine.catch(() => undefined);
  return mine;
}

async function createFirstAccount({ body, uploads }: SetupInput): Promise<Account> {
  if (!isSetupNeeded()) throw new AppError('forbidden', CLOSED);
  const { email, username, name, password, passwordConfirm } = body;
  refuseBlank({ email, username, name, password, passwordConfirm });
  const avatar = uploads.avatar;
  const record = (await createRecord(users, system, {
    body: { email, username, name, password, passwordConfirm, isAdmin: true, verified: true },
    uploads: avatar ? { avatar } : {},
  })) as { id: string };
  return accountById(record.id)!;
}

function refuseBlank(values: Record<string, unknown>): void {
  const problems: FieldProblems = {};
  for (const [field, value] of Object.entries(values)) {
    const isBlank = typeof value !== 'string' || value.trim() === '';
    if (isBlank) problems[field] = { code: 'validation_required', message: 'This field is required.' };
  }
  if (Object.keys(problems).length > 0) throw new AppError('invalid', 'Failed to create record.', { fields: problems });
}
