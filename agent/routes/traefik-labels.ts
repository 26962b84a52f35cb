import type { TraefikConfig } from './traefik-config';

/** Whether Traefik's Docker provider looks at a container. */
export const ENABLE_LABEL = 'traefik.enable';

/** The configuration as labels of a container, whose address Traefik finds on the network. */
export function toTraefikLabels(config: TraefikConfig, network: string): Record<string, string> {
  const labels = { [ENABLE_LABEL]: 'true', 'traefik.docker.network': network };
  return { ...labels, ...Object.fromEntries(flatten('traefik', config)) };
}

function flatten(name: string, value: unknown): [string, string][] {
  if (Array.isArray(value)) return [[name, value.join(',')]];
  if (typeof value !== 'object' || value === null) return [[name, String(value)]];
  return Object.entries(value).flatMap(([key, inner]) => flatten(`${name}.${key}`, inner));
}
