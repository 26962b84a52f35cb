import 'server-only';
import { users } from '../collection';
import { accountById, hasAnyAccount, type Account } from '@/lib/auth/accounts';
import { nowMs } from '@/lib/clock';
import { limits } from '@/lib/vocabulary/limits';
import { AppError, type FieldProblems } from '@/lib/errors';
import { system } from '@/lib/policies/actor';
import type { Upload } from '@/lib/records/uploads';
import { createRecord } from '@/lib/records/writer';
import { singleton } from '@/lib/singleton';

const CLOSED = 'The setup is done already.';
const TOO_LATE = `The setup window has closed: it is open for ${limits.setupWindowSeconds / 60} minutes after the start. Restart Berth to open it again.`;

/** Whether the console waits for its first person. */
export function isSetupNeeded(): boolean {
  return !hasAnyAccount();
}

const startedAtMs = singleton('started-at', () => nowMs() - process.uptime() * 1000);

/**
 * Whether the first account may still be made: for an hour after the start, so that a console which nobody has set up can
 * not be taken over long after by whoever finds it.
 */
export function isSetupWindowOpen(): boolean {
  return nowMs() - startedAtMs < limits.setupWindowSeconds * 1000;
}

/** Throws AppError `forbidden` once anyone has an account, and when the time to make the first one is over. */
export function requireSetup(): void {
  if (!isSetupNeeded()) throw new AppError('forbidden', CLOSED);
  if (!isSetupWindowOpen()) throw new AppError('forbidden', TOO_LATE);
}

export interface SetupInput {
  body: Readonly<Record<string, unknown>>;
  uploads: Record<string, Upload[]>;
}

/** Set-ups run one after the other, so of two that race one finds the door closed. */
const turn = singleton('setup-turn', () => ({ last: Promise.resolve() as Promise<unknown> }));

/**
 * Creates the first account, an admin. Throws AppError `forbidden` as `requireSetup` does, `invalid` with the problems
 * by field otherwise.
 */
export function finishSetup(input: SetupInput): Promise<Account> {
  const mine = turn.last.then(() => createFirstAccount(input));
  turn.last = mine.catch(() => undefined);
  return mine;
}

async function createFirstAccount({ body, uploads }: SetupInput): Promise<Account> {
  requireSetup();
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
