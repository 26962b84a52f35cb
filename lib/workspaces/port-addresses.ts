import 'server-only';
import { hosts, type HostRow } from '@/lib/hosts/collection';
import { registerAfterWrite } from '@/lib/records/hooks';
import type { WriteTransaction } from '@/lib/records/transaction';
import { isEveryInterface } from '@/lib/vocabulary/host-ip';
import type { ObservedPort } from '@/lib/vocabulary/workspace';
import { workspaces } from './collection';

/** Published ports with the name under which people reach them, where the host has one. */
export function withAddress(tx: WriteTransaction, hostId: string, ports: ObservedPort[]): ObservedPort[] {
  return ports.length === 0 ? ports : addressed(ports, tx.get(hosts, hostId)?.address ?? '');
}

function addressed(ports: ObservedPort[], address: string): ObservedPort[] {
  return ports.map(({ address: _before, ...port }) =>
    address !== '' && isEveryInterface(port.hostIp) ? { ...port, address } : port,
  );
}

/** What runs on a host is reached under its new address from then on. */
export function registerPortAddresses(): void {
  registerAfterWrite('hosts', ({ tx, row, before }) => {
    const { id, address } = row as unknown as HostRow;
    if (!before || before.address === address) return;
    for (const workspace of tx.findParts(workspaces, ['id', 'observedPorts'], { host: id })) {
      const ports = workspace.observedPorts ?? [];
      if (ports.length > 0) tx.observe(workspaces, workspace.id, { observedPorts: addressed(ports, address) });
    }
  });
}
