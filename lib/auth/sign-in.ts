import 'server-only';
import { AppError, GENERIC_MESSAGE, type FieldProblems } from '@/lib/errors';
import { limits } from '@/lib/vocabulary/limits';
import { verifyPassword } from '@/lib/passwords';
import { anyAccountByIdentity, type Account } from './accounts';

const FAILED = 'Failed to authenticate.';

function requireFilled(values: Record<string, unknown>): Record<string, string> {
  const problems: FieldProblems = {};
  for (const [name, value] of Object.entries(values)) {
    if (typeof value !== 'string' || value === '') {
      problems[name] = { code: 'validation_required', message: 'Cannot be blank.' };
    }
  }
  if (Object.keys(problems).length > 0) throw new AppError('invalid', GENERIC_MESSAGE, { fields: problems });
  return values as Record<string, string>;
}

/**
 * The account that the e-mail or username and password open. Throws AppError `invalid`: with fields when one is blank,
 * otherwise the same for an unknown account, a disabled one and a wrong password, after the same work.
 */
export async function signInWithPassword(body: Record<string, unknown>): Promise<Account> {
  const { identity, password } = requireFilled({ identity: body.identity ?? '', password: body.password ?? '' });
  const account = anyAccountByIdentity(identity!);
  const matches =
    password!.length <= limits.passwordTriedMaxLength && (await verifyPassword(account?.passwordHash, password!));
  if (!account?.enabled || !matches) throw new AppError('invalid', FAILED);
  return account;
}
