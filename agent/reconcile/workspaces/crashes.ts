import type { Engine, ObservedContainer } from '../../engines/engine';
import type { WorkspaceMemory } from './memory';
import { describeExit } from './status';

export type Crash = NonNullable<WorkspaceMemory['crash']>;

/** So often may the engine start a container again before that counts as a failure. */
const RESTARTS_MAX = 3;
/** A container that stayed up so long has recovered. */
export const RECOVERED_MS = 10_000;
const LAST_WORDS = { lines: 3, chars: 300, timeoutMs: 2000 };

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
  const { containerId, restarts } = container;
  const { generation, attempt } = known ?? wanted;
  const words = container.state === 'restarting' || !known ? await describe(engine, container) : known.message;
  return { containerId, restarts, generation, attempt, sinceMs: nowMs, message: words };
}

function isUp(state: ObservedContainer['state']): boolean {
  return state === 'running' || state === 'restarting';
}

async function describe(engine: Engine, container: ObservedContainer): Promise<string> {
  const words = await readLastWords(engine, container.containerId);
  const ending = words === '' ? '' : ` It said last: ${words}`;
  const exit = describeExit(container).replace(/\.$/, '');
  return `${exit}, and was started again ${container.restarts} times.${ending}`;
}

async function readLastWords(engine: Engine, containerId: string): Promise<string> {
  const signal = AbortSignal.timeout(LAST_WORDS.timeoutMs);
  const lines: string[] = [];
  try {
    for await (const { m } of engine.logs(containerId, { tail: LAST_WORDS.lines, since: '', follow: false }, signal)) {
      lines.push(m.trim());
    }
  } catch {
    // The words are an extra: the exit is told without them.
  }
  return lines.filter(Boolean).join(' / ').slice(-LAST_WORDS.chars);
}
