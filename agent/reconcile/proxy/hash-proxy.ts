import { createHash } from 'node:crypto';
import type { ProxySpec } from '../../../lib/protocol/specs/proxy';

const HASH_CHARS = 32;

/** Fingerprint of what the proxy's container is made from, its configuration among it; not of how its image is fetched. */
export function hashProxy({ image, containerName, networkName, ports, config, folder, socketPath }: ProxySpec): string {
  const published = ports.map(({ containerPort, hostPort, protocol }) => `${containerPort} ${hostPort} ${protocol}`);
  const made = [image.reference, containerName, networkName, published.toSorted(), config, folder, socketPath];
  return createHash('sha256').update(JSON.stringify(made)).digest('hex').slice(0, HASH_CHARS);
}
