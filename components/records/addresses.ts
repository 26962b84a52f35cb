import type { WorkspaceRecord } from '@/components/data/types';
import { isEveryInterface } from '@/lib/vocabulary/host-ip';

export interface WorkspaceAddress {
  port: number;
  url: string;
}

/** Where a running workspace's published tcp ports are reached from this browser. */
export function addressesOf(workspace: WorkspaceRecord): WorkspaceAddress[] {
  if (workspace.status !== 'running') return [];
  const seen = new Set<number>();
  return (workspace.observedPorts ?? []).flatMap((port) => {
    if (port.protocol !== 'tcp' || !port.hostPort || seen.has(port.hostPort)) return [];
    seen.add(port.hostPort);
    const name = port.address || (isEveryInterface(port.hostIp) ? window.location.hostname : port.hostIp);
    return [
      {
        port: port.containerPort,
        url: `http://${name.includes(':') && !name.startsWith('[') ? `[${name}]` : name}:${port.hostPort}`,
      },
    ];
  });
}
