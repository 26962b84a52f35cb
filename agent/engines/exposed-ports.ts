import type { ExposedPort } from './engine';

/** `8888/tcp`, `53/udp` or `80`; ranges and variables say nothing that could be used, and a hundred are enough. */
export function readExposedPorts(texts: readonly string[]): ExposedPort[] {
  return texts
    .flatMap((text): ExposedPort[] => {
      const match = /^(\d{1,5})(?:\/(tcp|udp))?$/i.exec(text);
      const containerPort = Number(match?.[1] ?? 0);
      if (containerPort < 1 || containerPort > 65_535) return [];
      return [{ containerPort, protocol: match?.[2]?.toLowerCase() === 'udp' ? 'udp' : 'tcp' }];
    })
    .sort((one, other) => one.containerPort - other.containerPort)
    .slice(0, 100);
}
