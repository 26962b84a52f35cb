import { z } from 'zod';
import { registryAuthSchema } from './specs/host';

/** Whether a registry takes an account, asked by the engine of the host. Answered with one JSON text. */
export const openSignInSchema = registryAuthSchema.extend({ kind: z.literal('signIn') });

export const signInSchema = z.object({
  isSignedIn: z.boolean(),
  /** Why not, in the words of the registry or the engine; empty when it is. */
  message: z.string().max(2000),
});
