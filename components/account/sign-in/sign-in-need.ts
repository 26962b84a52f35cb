import { z } from 'zod';
import { ClientResponseError } from 'pocketbase';

const factors = z.enum(['totp', 'passkey', 'recoveryCode']);
const codeSchema = z.object({ pendingToken: z.string(), factors: z.array(factors) });
const enrolSchema = z.object({ enrolmentToken: z.string() });

/** What a log-in still takes after its first factor: a code, or a second factor that has to be set up. */
export type SignInNeed =
  | { kind: 'code'; pendingToken: string; factors: z.infer<typeof factors>[] }
  | { kind: 'enrol'; enrolmentToken: string };
export type CodeNeed = Extract<SignInNeed, { kind: 'code' }>;

/** Reads from a refused log-in what it takes to go on; undefined where it was refused for another reason. */
export function readSignInNeed(error: unknown): SignInNeed | undefined {
  if (!(error instanceof ClientResponseError) || error.status !== 400) return undefined;
  const data: unknown = error.response?.data;
  const code = codeSchema.safeParse(data);
  if (code.success) return { kind: 'code', ...code.data };
  const enrol = enrolSchema.safeParse(data);
  return enrol.success ? { kind: 'enrol', ...enrol.data } : undefined;
}
