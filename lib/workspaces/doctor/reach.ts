import 'server-only';
import { connect } from 'node:net';
import { isPublicAddress } from '@/lib/protocol/public-address';
import { failed, fine, skipped, someNames, type Verdict, warning } from '@/lib/verdict';

const CONNECT_MS = 5000;

export interface Reach {
  /** Where the console may connect to; empty where it may not. */
  address: string;
  /** Why it may not, for people. */
  refusal: string;
}

interface ReachQuestion {
  /** What the names lead to. */
  addresses: readonly string[];
  known: readonly string[];
  isAdmin: boolean;
}

/**
 * Where the console connects to for somebody. Names and hosts belong to people, and must not make the console try ports of its
 * own network for them: it is an address of the internet that the name leads to and that the host is known by. Admins have any
 * looked at that the name leads to.
 */
export function reachFor({ addresses, known, isAdmin }: ReachQuestion): Reach {
  if (addresses.length === 0) return { address: '', refusal: 'The name leads nowhere yet.' };
  const ours = addresses.filter((address) => known.includes(address));
  const open = isAdmin ? [...ours, ...addresses] : ours.filter(isPublicAddress);
  // Names of this machine have two, and servers often listen at the first alone.
  const [address] = open;
  if (address !== undefined) return { address, refusal: '' };
  if (ours.length > 0) {
    return {
      address: '',
      refusal: 'The address is not one of the internet, so that only admins may have it looked at.',
    };
  }
  const refusal = `The name leads to ${someNames(addresses)}, which is not known as the host: the console does not connect there.`;
  return { address: '', refusal };
}

interface PortQuestion {
  reach: Reach;
  port: number;
  /** What browsers ask at. */
  usual: 80 | 443;
}

/** Whether a port answers the console, which is at one place of the network only. */
export async function checkPort({ reach, port, usual }: PortQuestion): Promise<Verdict> {
  const { address, refusal } = reach;
  if (address === '') return skipped(refusal);
  const place = address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
  const why = await refusalOf(address, port);
  if (why === 'ECONNREFUSED') {
    const cure = `Start the reverse proxy of the host, and publish its entry point at port ${port}.`;
    return failed(`Nothing listens at ${place}.`, cure);
  }
  if (why !== '') {
    const cure = `Open port ${port} in the firewall of the host and of its network, and check the host's address.`;
    return failed(`The console does not reach ${place} (${why}).`, cure);
  }
  if (port === usual) return fine(`The console reaches ${place}.`);
  const cure = `Publish the entry point at port ${usual}, or pass port ${usual} on to ${port}.`;
  return warning(`The console reaches ${place}, but browsers ask at port ${usual}.`, cure);
}

function refusalOf(host: string, port: number): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const end = (why: string): void => {
      clearTimeout(late);
      socket.destroy();
      resolve(why);
    };
    const late = setTimeout(() => end('ETIMEDOUT'), CONNECT_MS);
    socket.once('connect', () => end(''));
    socket.on('error', ({ code, message }: NodeJS.ErrnoException) => end(code ?? message));
  });
}
