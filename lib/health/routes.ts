import 'server-only';
import { z } from 'zod';
import { requireFullAccess } from '@/lib/auth/admin-guard';
import { wireNow } from '@/lib/clock';
import type { Route } from '@/lib/http/context';
import { defineRoute } from '@/lib/http/route';
import { CHECK_STATES, worstOf } from '@/lib/verdict';
import { CHECK_CODES } from './check';
import { runChecks } from './run-checks';

const checkSchema = z.strictObject({
  code: z.enum(CHECK_CODES),
  state: z.enum(CHECK_STATES),
  found: z.string().describe('What was found, and what that means'),
  cure: z.string().describe('What to do; empty where nothing is to be done'),
});

const answerSchema = z.strictObject({
  checked: z.string().describe('When'),
  state: z.enum(['ok', 'warning', 'error']).describe('The worst of them'),
  checks: z.array(checkSchema),
});

/** The checks of the console. `probe` says what refuses to write to the database, or nothing. */
export function healthCheckRoutes(probe: () => Promise<string>): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/api/health/checks',
      summary: 'How the console is, looked at now, with a cure for what is wrong: for admins',
      guard: requireFullAccess,
      answer: answerSchema,
      async handle() {
        const checks = await runChecks(probe);
        return { checked: wireNow(), state: worstOf(checks), checks };
      },
    }),
  ];
}
