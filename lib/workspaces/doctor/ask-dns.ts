import 'server-only';
import { Resolver } from 'node:dns/promises';
import { env } from '@/lib/env';

/** For the first try at each server, and for all of it. */
const TRY_MS = 1500;
const TRIES = 2;
const ASK_MS = 5000;
/** Nobody gives a name more addresses than a page can show. */
const ADDRESSES_MAX = 20;
/** There is no such name, or no such record of it. */
const NOTHING = new Set(['ENOTFOUND', 'ENODATA']);

export interface Resolved {
  /** IPv4 before IPv6; empty where there is none. */
  addresses: string[];
  /** Why DNS gave no answer, as a code; empty where it did. */
  problem: string;
}

/** Whether browsers take the name for the machine that they run on, without DNS. */
export function isLocalName(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost');
}

/** The addresses of a name as DNS tells them, whatever this machine's own files say, within five seconds. Never rejects. */
export async function resolveName(name: string): Promise<Resolved> {
  if (isLocalName(name)) return { addresses: ['127.0.0.1', '::1'], problem: '' };
  const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
  const { dnsServers } = env();
  if (dnsServers.length > 0) resolver.setServers(dnsServers);
  const late = setTimeout(() => resolver.cancel(), ASK_MS);
  const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
  clearTimeout(late);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const codes = answers.flatMap((answer) => (answer.status === 'rejected' ? [codeOf(answer.reason)] : []));
  const problem = addresses.length > 0 ? '' : (codes.find((code) => !NOTHING.has(code)) ?? '');
  return { addresses: addresses.slice(0, ADDRESSES_MAX), problem };
}

function codeOf(error: unknown): string {
  const { code = 'EFAIL' } = error as NodeJS.ErrnoException;
  return code === 'ECANCELLED' ? 'ETIMEOUT' : code;
}
