import { z } from 'zod';
import { isDomainName } from './domain-name';

export const INVALID_HOST_ADDRESS = 'Please enter a name or an address, without http:// and port.';

const address = z.union([z.ipv4(), z.ipv6()]);

/** Whether the text is what a machine is reached under: a domain name, or an IP address without brackets. */
export function isHostAddress(text: string): boolean {
  return isDomainName(text.toLowerCase()) || address.safeParse(text).success;
}
