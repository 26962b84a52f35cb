import { z } from 'zod';
import { CHECK_STATES } from './verdict';

/** What a call answers that looks at several things: each by its code. */
export function verdictsSchema<const Codes extends readonly [string, ...string[]]>(codes: Codes) {
  const check = z.strictObject({
    code: z.enum(codes),
    state: z.enum(CHECK_STATES),
    found: z.string().describe('What was found, and what that means'),
    cure: z.string().describe('What to do; empty where nothing is to be done'),
  });
  return z.strictObject({
    checked: z.string().describe('When'),
    state: z.enum(['ok', 'warning', 'error']).describe('The worst of them'),
    checks: z.array(check),
  });
}
