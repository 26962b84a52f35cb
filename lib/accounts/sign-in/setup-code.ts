import 'server-only';
import { randomInt, timingSafeEqual } from 'node:crypto';
import { AppError, type FieldProblem } from '@/lib/errors';
import { singleton } from '@/lib/singleton';

/** Without signs that look alike. */
const SIGNS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const WHERE = 'It stands in the output of the console, as “set-up code”.';

/** What whoever sets the console up over a network has to know: it is printed where only the machine's owner looks. */
export function setupCode(): string {
  return singleton('setup-code', () => {
    const text = Array.from({ length: 8 }, () => SIGNS[randomInt(SIGNS.length)]).join('');
    return `${text.slice(0, 4)}-${text.slice(4)}`;
  });
}

function plain(code: string): string {
  return code.toUpperCase().replace(/[^A-Z0-9]/g, '');
}

/** Throws AppError `invalid` unless it is the code, however it is spelled. */
export function requireSetupCode(sent: unknown): void {
  const given = Buffer.from(plain(typeof sent === 'string' ? sent.slice(0, 100) : ''));
  const code = Buffer.from(plain(setupCode()));
  if (given.length === code.length && timingSafeEqual(given, code)) return;
  const problem: FieldProblem =
    given.length === 0
      ? { code: 'validation_required', message: `Enter the set-up code. ${WHERE}` }
      : { code: 'validation_invalid_setup_code', message: `That is not the set-up code. ${WHERE}` };
  throw new AppError('invalid', 'Failed to create record.', { fields: { code: problem } });
}
