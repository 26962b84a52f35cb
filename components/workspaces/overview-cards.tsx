import type { WorkspaceRecord } from '@/components/data/types';
import { AddressesCard } from './addresses-card';
import { LogTail } from './log-tail';
import { PortsCard } from './measures/ports-card';
import { UsageCard } from './measures/usage-card';

/** The cards of the overview that the host is asked for. */
export function OverviewCards({ workspace }: { workspace: WorkspaceRecord }) {
  const { id, status, generation, containerId } = workspace;
  return (
    <>
      {generation > 0 && <UsageCard workspace={workspace} />}
      <AddressesCard workspace={workspace} />
      {status === 'running' && <PortsCard workspace={workspace} />}
      <LogTail workspaceId={id} isOn={containerId !== '' || generation > 0} />
    </>
  );
}
