import type { Engine, ObservedContainer } from '../../engines/engine';
import type { WorkspaceMemory } from './memory';
import { quoteLastLines, readLastLines } from '../last-lines';
import { describeExit } from './status';

export type Crash = NonNullable<WorkspaceMemory['crash']>;

/** So often may the engine start a container again before that counts as a failure. */
const RESTARTS_MAX = 3;
/** A container that stayed up so long has recovered. */
export const RECOVERED_MS = 10_000;

export interface CrashInput {
  engine: Engine;
  containers: ObservedContainer[];
  crash: Crash | null;
  /** Of what is wanted now. */
  wanted: { generation: number; attempt: number };
  nowMs: number;
}

/** What is known of a container that the engine starts again and again; null when none ends that often, or it recovered. */
export async function followCrash({ engine, containers, crash, wanted, nowMs }: CrashInput): Promise<Crash | null> {
  const container = containers.find(({ state, restarts }) => isUp(state) && restarts >= RESTARTS_MAX);
  const known = crash && crash.containerId === container?.containerId ? crash : null;
  if (!container || (!known && container.state !== 'restarting')) return null;
  if (known && known.restarts === container.restarts) {
    const hasRecovered = container.state === 'running' && nowMs - known.sinceMs >= RECOVERED_MS;
    return hasRecovered ? null : known;
  }
  const { containerId, restarts, exitCode } = container;
  const { generation, attempt } = known ?? wanted;
  const told = { containerId, restarts, generation, attempt, sinceMs: nowMs };
  if (known && container.state !== 'restarting') return { ...known, ...told };
  const lastLines = await readLastLines(engine, containerId);
  return { ...told, exitCode, lastLines, message: describe(container, lastLines) };
}

function isUp(state: ObservedContainer['state']): boolean {
  return state === 'running' || state === 'restarting';
}

function describe(container: ObservedContainer, lastLines: string[]): string {
  const exit = describeExit(container).replace(/\.$/, '');
  return `${exit}, and was started again ${container.restarts} times.${quoteLastLines(lastLines)}`;
}
