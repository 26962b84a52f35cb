import { normalizeRegistry, registryOf } from '../../../lib/protocol/image-names';
import type { RegistryAuthSpec } from '../../../lib/protocol/specs/host';

const DOCKER_HUB = 'docker.io';

export function findAuth(reference: string, auths: RegistryAuthSpec[]): RegistryAuthSpec | undefined {
  const registry = registryOf(reference);
  return auths.find((auth) => normalizeRegistry(auth.serveraddress) === registry);
}

/** The X-Registry-Auth header for one reference; no header where there is no sign-in. */
export function authHeader(reference: string, auths: RegistryAuthSpec[]): Record<string, string> {
  const auth = findAuth(reference, auths);
  return auth ? { 'X-Registry-Auth': encode(auth) } : {};
}

/** What the engine calls a registry where it signs in. */
export function addressOf(registry: string): string {
  return registry === DOCKER_HUB ? 'https://index.docker.io/v1/' : registry;
}

/** The X-Registry-Config header of a build: all sign-ins by address. */
export function configHeader(auths: RegistryAuthSpec[]): Record<string, string> {
  const byAddress = auths.map(({ serveraddress, username, password }) => {
    return [addressOf(normalizeRegistry(serveraddress)), { username, password }] as const;
  });
  return auths.length > 0 ? { 'X-Registry-Config': encode(Object.fromEntries(byAddress)) } : {};
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64').replaceAll('+', '-').replaceAll('/', '_');
}
