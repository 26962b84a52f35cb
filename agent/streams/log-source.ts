import type { Engine, ObservedContainer } from '../engines/engine';
import { hasOwnName } from '../reconcile/workspaces/own';
import type { ContainerNews } from './container-news';

export interface LogSource {
  engine: Engine;
  hostId: string;
  news: ContainerNews;
}

/** The container whose log counts as a workspace's: the one that runs, else the newest. */
export async function findContainer(
  { engine, hostId }: Pick<LogSource, 'engine' | 'hostId'>,
  workspaceId: string,
): Promise<ObservedContainer | undefined> {
  const held = (await engine.observe(hostId)).filter((container) => container.workspaceId === workspaceId);
  const own = held.filter(hasOwnName);
  const sorted = (own.length > 0 ? own : held).toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  return sorted.find((container) => container.state === 'running') ?? sorted[0];
}

/** How many lines of a container's log come before the one with this timestamp. */
export async function countLinesBefore(
  engine: Engine,
  { containerId, timestamp, signal }: { containerId: string; timestamp: string; signal: AbortSignal },
): Promise<number> {
  const options = { tail: null, since: '', until: timestamp, follow: false };
  let count = 0;
  for await (const { t } of engine.logs(containerId, options, signal)) {
    if (t >= timestamp) break;
    count += 1;
  }
  return count;
}
