import 'server-only';
import { z } from 'zod';
import { accountById } from '@/lib/auth/accounts';
import type { AdminActor } from '@/lib/auth/admin-guard';
import { inSeconds, isFreshProof, provenAt } from '@/lib/auth/fresh-admin';
import { nowMs } from '@/lib/clock';
import type { RequestContext } from '@/lib/http/context';
import { requireStepUp } from './step-up';

export const adminProofShape = z.object({
  password: z.string().optional().describe('The admin’s, where the log-in was more than ten minutes ago'),
});

/**
 * Since when it is proven that the admin is the one who calls: by a log-in some minutes ago, or by the password with the
 * call. Throws AppError `invalid` with what is missing or wrong, `rate_limited` after too many tries.
 */
export async function requireAdminProof(
  context: RequestContext,
  admin: AdminActor,
  body: Readonly<Record<string, unknown>>,
): Promise<number> {
  const at = provenAt(context.header('authorization'));
  if (isFreshProof(at)) return at;
  await requireStepUp({ account: accountById(admin.id)!, sessionId: undefined }, body);
  return inSeconds(nowMs());
}
