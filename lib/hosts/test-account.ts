import 'server-only';
import { z } from 'zod';
import { AppError } from '@/lib/errors';
import { signInSchema } from '@/lib/protocol/registry-streams';
import type { RegistryAuthSpec } from '@/lib/protocol/specs/host';
import { UnsealError } from '@/lib/secrets';
import type { RegistryAuth } from '@/lib/vocabulary/host';
import type { HostRow } from './collection';
import { askHost } from './link/ask-host';
import { openAccount } from './registry-accounts';

const LENGTH = 255;
const PASSWORD_LENGTH = 10_000;

export const accountTestSchema = z.strictObject({
  serveraddress: z.string().trim().min(1).max(LENGTH),
  username: z.string().trim().min(1).max(LENGTH),
  password: z.string().max(PASSWORD_LENGTH).optional().describe('The stored one where it is left out'),
});

/**
 * Has the host's engine sign in at a registry with an account: as typed, or as it is stored. Throws an AppError at `password`
 * where there is none, and `host_unavailable`.
 */
export async function testAccount(
  host: HostRow,
  { serveraddress, username, password }: z.infer<typeof accountTestSchema>,
  signal: AbortSignal,
): Promise<z.infer<typeof signInSchema>> {
  const account = password
    ? { serveraddress, username, password }
    : openStored(host, (auth) => auth.serveraddress === serveraddress && auth.username === username);
  return askHost(host.id, { kind: 'signIn', ...account }, { schema: signInSchema, signal });
}

function openStored(host: HostRow, isMeant: (auth: RegistryAuth) => boolean): RegistryAuthSpec {
  const stored = (host.registry_auths ?? []).find(isMeant);
  if (!stored) throw atPassword('validation_required', 'There is no stored password of this account.');
  try {
    const { serveraddress, username, password } = stored;
    return openAccount({ serveraddress, username, password });
  } catch (error) {
    if (error instanceof UnsealError) throw atPassword('validation_unreadable', error.message);
    throw error;
  }
}

function atPassword(code: string, message: string): AppError {
  return new AppError('invalid', message, { fields: { password: { code, message } } });
}
