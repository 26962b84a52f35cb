import type { WorkspaceRecord } from '@/components/data/types';
import type { AppsPlace } from '@/lib/vocabulary/app-address';
import { AddressesCard } from './addresses-card';
import { LogTail } from './log-tail';
import { PortsCard } from './measures/ports-card';
import { UsageCard } from './measures/usage-card';

/** The cards of the overview that the host is asked for. */
export function OverviewCards({ workspace, apps }: { workspace: WorkspaceRecord; apps: AppsPlace | undefined }) {
  const { id, status, generation, containerId } = workspace;
  return (
    <>
      {generation > 0 && <UsageCard workspace={workspace} />}
      <AddressesCard workspace={workspace} />
      {status === 'running' && <PortsCard workspace={workspace} apps={apps} />}
      <LogTail workspaceId={id} isOn={containerId !== '' || generation > 0} />
    </>
  );
}
