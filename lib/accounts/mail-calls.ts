import 'server-only';
import { z, type ZodType } from 'zod';
import { originOf } from '@/lib/auth/call-origin';
import { limitCalls, limitGuesses, spellingOf, turnsOfAddress } from '@/lib/auth/limited';
import type { RequestContext, Route } from '@/lib/http/context';
import { emailShape } from '@/lib/http/form-body';
import { defineRoute } from '@/lib/http/route';
import { log } from '@/lib/log';
import type { AuditOrigin } from '@/lib/records/audit';
import type { Turn } from '@/lib/stores/rate-limits';
import { rateLimits } from '@/lib/vocabulary/limits';

type Body = Readonly<Record<string, unknown>>;
type Mailed = 'passwordReset' | 'verification' | 'emailChange';

interface Call {
  path: string;
  summary: string;
  guard?: (context: RequestContext) => void;
}

/** Runs what an answer must not wait for: how long it takes would tell whether there is such an account. */
function afterAnswer(work: () => Promise<void>): void {
  setImmediate(() => {
    work().catch((error: unknown) => log.error({ err: error }, 'a mail could not be sent'));
  });
}

/** The turns of a call that sends mail: by the account, whether or not there is one, and by the caller's address. */
export function mailTurns(context: RequestContext, { email }: Body, kind: Mailed): Turn[] {
  const byAccount = { limit: rateLimits[`${kind}ByAccount`], who: spellingOf(email) };
  return [byAccount, ...turnsOfAddress(context, rateLimits[`${kind}ByAddress`])];
}

/** A call that mails a link to an address, if there is an account that has it. */
export function mailCall(call: Call & { kind: Mailed; request: (body: Body) => () => Promise<void> }): Route {
  const { kind, request, ...about } = call;
  return defineRoute({
    method: 'POST',
    ...about,
    bodyShape: z.object({ email: emailShape }),
    example: { email: 'ada@example.com' },
    handle({ context, body }) {
      const mail = request(body);
      limitCalls(mailTurns(context, body, kind));
      afterAnswer(mail);
    },
  });
}

/** A call that does what a mailed link is for, by its token. */
export function confirmCall(
  call: Call & { bodyShape: ZodType; example: Body; confirm: (body: Body, from: AuditOrigin) => Promise<void> },
): Route {
  const { confirm, ...about } = call;
  return defineRoute({
    method: 'POST',
    ...about,
    async handle({ context, body }) {
      const turns = turnsOfAddress(context, rateLimits.confirmByAddress);
      await limitGuesses(turns, () => confirm(body, originOf(context, 'mail')));
    },
  });
}

const MAILED = { token: 'the token of the mailed link' };
const tokenSchema = z.string().describe('Of the mailed link');

/** What the confirming calls take. */
export const confirmations = {
  token: { bodyShape: z.object({ token: tokenSchema }), example: MAILED },
  password: {
    bodyShape: z.object({ token: tokenSchema, password: z.string() }),
    example: { ...MAILED, password: 'Berth!pass1' },
  },
  newPassword: {
    bodyShape: z.object({ token: tokenSchema, password: z.string(), passwordConfirm: z.string() }),
    example: { ...MAILED, password: 'Berth!pass1', passwordConfirm: 'Berth!pass1' },
  },
} satisfies Record<string, Pick<Parameters<typeof confirmCall>[0], 'bodyShape' | 'example'>>;
