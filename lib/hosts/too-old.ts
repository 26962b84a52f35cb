import 'server-only';
import type { UnsupportedObject } from '@/lib/protocol/specs/desired';
import type { StoreReader } from '@/lib/records/transaction';
import { hosts } from './collection';

/** What to tell people of a record that its host's agent can't read. */
export function tooOldMessage(
  reader: StoreReader,
  about: { hostId: string; what: string; object: UnsupportedObject },
): string {
  const name = reader.get(hosts, about.hostId)?.name ?? about.hostId;
  return `The agent on host ${name} is too old for this ${about.what}: update it. It says: ${about.object.reason}`;
}
