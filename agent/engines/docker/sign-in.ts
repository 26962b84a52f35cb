import type Docker from 'dockerode';
import { normalizeRegistry, registryOf } from '../../../lib/protocol/image-names';
import type { RegistryAuthSpec } from '../../../lib/protocol/specs/host';
import { EngineError } from '../engine-error';
import { ask } from './docker-client';
import { addressOf } from './registry-auth';

/** Who asks waits for the answer. */
const PATIENCE_MS = 15_000;

/** Asks a registry for the digest of what a name stands for there. Throws an EngineError, with the registry's words. */
export async function findRemoteDigest(
  docker: Docker,
  reference: string,
  account: RegistryAuthSpec | undefined,
): Promise<string> {
  const registry = registryOf(reference);
  const authconfig = account && { ...account, serveraddress: addressOf(registry) };
  const told = (await ask(() => docker.getImage(reference).distribution({ authconfig }))) as {
    Descriptor?: { digest?: string };
  };
  return told.Descriptor?.digest ?? '';
}

/** Signs in at a registry and keeps nothing of it. Throws an EngineError, with the registry's words, where it is refused. */
export async function signIn(docker: Docker, { serveraddress, username, password }: RegistryAuthSpec): Promise<void> {
  const abortSignal = AbortSignal.timeout(PATIENCE_MS);
  const registry = normalizeRegistry(serveraddress);
  try {
    await ask(() => docker.checkAuth({ username, password, serveraddress: addressOf(registry), abortSignal }));
  } catch (error) {
    if (!abortSignal.aborted) throw error;
    const message = `${registry} gave no answer within ${PATIENCE_MS / 1000} s.`;
    throw new EngineError('unreachable', message, { cause: error });
  }
}
