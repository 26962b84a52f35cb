import 'server-only';
import { askForResource } from '@/lib/hosts/resource-link';
import { hostNetwork } from '@/lib/networks/at-host';
import { networks } from '@/lib/networks/collection';
import { write } from '@/lib/records/transaction';
import { hostVolume } from '@/lib/volumes/at-host';
import { volumes } from '@/lib/volumes/collection';

/** Hosts hear of the volumes and networks that an older console kept to itself. */
export function askHostsForResources(): Promise<void> {
  return write((tx) => {
    for (const volume of tx.find(volumes, { status: 'pending' })) askForResource(tx, hostVolume, volume);
    for (const network of tx.find(networks, { status: 'pending' })) askForResource(tx, hostNetwork, network);
  });
}
