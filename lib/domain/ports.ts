import type { PortMapping } from './workspace';

/** One published port. Host port 0 leaves the choice to the host. */
export interface PublishedPort {
  containerPort: number;
  protocol: 'tcp' | 'udp';
  hostPort: number;
  hostIp: string;
}

function bounds(port: number | string): { first: number; last: number } {
  const [first, last] = String(port || 0).split('-');
  return { first: Number(first), last: Number(last ?? first) };
}

/** Every single port of the mappings, ranges paired in order. */
export function expandPortMappings(mappings: readonly PortMapping[]): PublishedPort[] {
  return mappings.flatMap(({ containerPort, hostPort, protocol, hostIp }) => {
    const container = bounds(containerPort);
    const host = bounds(hostPort);
    const count = container.last - container.first + 1;
    return Array.from({ length: count }, (_, offset) => ({
      containerPort: container.first + offset,
      protocol,
      hostPort: host.first === 0 ? 0 : host.first + offset,
      hostIp,
    }));
  });
}
