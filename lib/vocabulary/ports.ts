import { isEveryInterface } from './host-ip';
import type { PortMapping } from './workspace';

/** An unbroken run of ports, both ends included. */
export interface PortRange {
  first: number;
  last: number;
}

const MAX_PORT = 65_535;

/** A port or a range such as "10-20", start below end; undefined when it is neither. */
export function parsePorts(value: number | string): PortRange | undefined {
  const match = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(String(value).trim());
  if (!match) return undefined;
  const first = Number(match[1]);
  const last = match[2] === undefined ? first : Number(match[2]);
  if (first > MAX_PORT || last > MAX_PORT || (match[2] !== undefined && last <= first)) return undefined;
  return { first, last };
}

/** Ports that every program may listen on. */
export const UNPRIVILEGED_PORTS = '1024-65535';

/** Ports and ranges with commas between; undefined when one is neither, or nothing is there. */
export function parsePortList(text: string): PortRange[] | undefined {
  const ranges = text.split(',').map(parsePorts);
  return ranges.every((range) => range !== undefined) ? ranges : undefined;
}

export function portCount({ first, last }: PortRange): number {
  return last - first + 1;
}

/** Whether the mapping leaves the host port to the host. */
export function leavesHostPortOpen({ hostPort }: Pick<PortMapping, 'hostPort'>): boolean {
  return hostPort === '' || hostPort === 0 || hostPort === '0';
}

/** Letters, digits, dots, dashes; colons too, for IPv6. Empty means every address. */
export function isHostIp(value: string): boolean {
  return value === '' || /^[A-Za-z0-9.:-]{1,253}$/.test(value);
}

/** Host ports that a mapping takes; undefined when the host chooses or the text is no port. */
export function hostPortsOf(mapping: PortMapping): PortRange | undefined {
  return leavesHostPortOpen(mapping) ? undefined : parsePorts(mapping.hostPort);
}

type HostBinding = Pick<PortMapping, 'protocol' | 'hostIp'>;

/** Whether two mappings listen on the same addresses with the same protocol. An empty address is all of them. */
function sharesAddress(one: HostBinding, other: HostBinding): boolean {
  if (one.protocol !== other.protocol) return false;
  const [a, b] = [normalIp(one.hostIp), normalIp(other.hostIp)];
  return a === '' || b === '' || a === b;
}

function normalIp(hostIp: string): string {
  const ip = hostIp.toLowerCase();
  if (isEveryInterface(ip)) return '';
  return ip === 'localhost' ? '127.0.0.1' : ip;
}

/** The first host port that both mappings take; undefined when they get along. */
export function clashOf(one: PortMapping, other: PortMapping): number | undefined {
  if (!sharesAddress(one, other)) return undefined;
  const [a, b] = [hostPortsOf(one), hostPortsOf(other)];
  if (!a || !b) return undefined;
  const first = Math.max(a.first, b.first);
  return first <= Math.min(a.last, b.last) ? first : undefined;
}
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
