import { isIP } from 'node:net';
import { failed, fine, skipped, someNames, type Verdict, warning } from '@/lib/verdict';
import { isLocalName, type Resolved } from './ask-dns';

interface NameQuestion {
  /** What was asked about. */
  name: string;
  /** The record that answers for it, as `*.lab.example.org`. */
  record: string;
  resolved: Resolved;
  /** Where the hosts are reached; empty where nobody knows. */
  known: readonly string[];
  /** Whether any host serves it. */
  hasHost: boolean;
  /** Whether some address hangs on it. */
  isNeeded?: boolean;
}

const FILL_IN = "Fill in the address on the host's page: it is what names have to lead to.";

/** Whether a name leads to the host, and which record is missing where it doesn't. */
export function judgeName({ name, record, resolved, known, hasHost, isNeeded = true }: NameQuestion): Verdict {
  const { addresses, problem } = resolved;
  if (isLocalName(name)) return fine(`Browsers take ${name} for the machine that they run on, without DNS.`);
  if (problem !== '') {
    const cure = 'Check the name servers of the domain, and which ones the console asks (BERTH_DNS_SERVERS).';
    return failed(`There is no answer from DNS about ${name} (${problem}).`, cure);
  }
  if (addresses.length === 0) {
    if (!isNeeded) return skipped(`${name} has no address in DNS, and no workspace has its address there.`);
    return failed(`${name} has no address in DNS.`, missingRecord(record, known));
  }
  if (!hasHost) {
    const cure = 'Choose the host of the domain, or give a workspace an address under it.';
    return warning(`${name} leads to ${someNames(addresses)}. No host serves it yet.`, cure);
  }
  if (known.length === 0) {
    return warning(`${name} leads to ${someNames(addresses)}. Where the host is reached is not known.`, FILL_IN);
  }
  const others = addresses.filter((address) => !known.includes(address));
  const here = someNames(known);
  if (others.length === 0) return fine(`${name} leads to ${someNames(addresses)}, where the host is reached.`);
  if (others.length < addresses.length) {
    const cure = `Remove the records of ${record} that lead to ${someNames(others)}.`;
    return warning(`${name} leads to ${someNames(others)} too, but the host is reached at ${here}.`, cure);
  }
  const cure = `Have ${record} lead to ${here}. If a proxy stands before the host, name it as the host's address.`;
  return failed(`${name} leads to ${someNames(addresses)}, but the host is reached at ${here}.`, cure);
}

function missingRecord(record: string, known: readonly string[]): string {
  const v4 = known.filter((address) => isIP(address) === 4);
  const v6 = known.filter((address) => isIP(address) === 6);
  if (v4.length > 0 && v6.length > 0) {
    return `Add an A record for ${record} → ${someNames(v4)}, and an AAAA record for ${record} → ${someNames(v6)}.`;
  }
  if (v4.length > 0) return `Add an A record for ${record} → ${someNames(v4)}.`;
  if (v6.length > 0) return `Add an AAAA record for ${record} → ${someNames(v6)}.`;
  return `Add an A record for ${record} that leads to the host, and fill in that address on the host's page.`;
}
