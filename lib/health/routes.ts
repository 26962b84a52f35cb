import 'server-only';
import { requireFullAccess } from '@/lib/auth/admin-guard';
import { wireNow } from '@/lib/clock';
import type { Route } from '@/lib/http/context';
import { defineRoute } from '@/lib/http/route';
import { worstOf } from '@/lib/verdict';
import { verdictsSchema } from '@/lib/verdicts-schema';
import { CHECK_CODES } from './check';
import { runChecks } from './run-checks';

const answerSchema = verdictsSchema(CHECK_CODES);

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
