import { z } from 'zod';
import { registryAuthSchema } from './specs/host';

/** Whether a registry takes an account, asked by the engine of the host. Answered with one JSON text. */
export const openSignInSchema = registryAuthSchema.extend({ kind: z.literal('signIn') });

export const signInSchema = z.object({
  isSignedIn: z.boolean(),
  /** Why not, in the words of the registry or the engine; empty when it is. */
  message: z.string().max(2000),
});

/** What a registry has under a name now, asked by the engine of the host. Answered with one JSON text. */
export const openRemoteDigestSchema = z.object({
  kind: z.literal('remoteDigest'),
  /** With a tag. */
  reference: z.string().min(1).max(512),
  account: registryAuthSchema.optional(),
});

/** `sha256:…` */
export const remoteDigestSchema = z.object({ digest: z.string().max(200) });
