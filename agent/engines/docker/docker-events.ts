import type { Readable } from 'node:stream';
import type Docker from 'dockerode';
import { z } from 'zod';
import { labels } from '../../../lib/protocol/specs/desired';
import type { EngineEvent, WatchHandlers } from '../engine';
import { EngineError } from '../engine-error';
import { ask } from './docker-client';
import { toEngineError } from './docker-errors';
import { readLines } from './lines';

const eventSchema = z.object({
  Action: z.string(),
  Actor: z.object({ ID: z.string(), Attributes: z.record(z.string(), z.string()).default({}) }),
});

const TYPES: Record<string, EngineEvent['type']> = {
  create: 'create',
  start: 'start',
  kill: 'kill',
  die: 'die',
  oom: 'oom',
  destroy: 'destroy',
  health_status: 'health',
};

/** Somebody looks into a container, or puts a file there: nothing that is known of it changes. */
const LOOKS = /^(exec_|archive-path|extract-to-dir)/;

/** Follows the engine's events of this host's containers until the signal aborts; rejects when the stream ends. */
export async function watchContainers(
  docker: Docker,
  { hostId, handlers, signal }: { hostId: string; handlers: WatchHandlers; signal: AbortSignal },
): Promise<void> {
  const filters = JSON.stringify({ type: ['container'], label: [`${labels.host}=${hostId}`] });
  const stream = (await ask(() => docker.getEvents({ filters, abortSignal: signal }))) as Readable;
  const stop = (): void => void stream.destroy();
  signal.addEventListener('abort', stop, { once: true });
  try {
    handlers.onReady();
    for await (const line of readLines(stream)) {
      const event = parseEvent(line);
      if (event) handlers.onEvent(event);
    }
  } catch (error) {
    if (!signal.aborted) throw toEngineError(error);
  } finally {
    signal.removeEventListener('abort', stop);
  }
  if (!signal.aborted) throw new EngineError('unreachable', "The Docker engine can't be reached: its events ended");
}

/** Whose containers are followed. */
const FOLLOWED = new Set(['workspace', 'proxy']);

/** Undefined for lines that are no event of a workspace's container, or of the host's proxy. */
export function parseEvent(line: string): EngineEvent | undefined {
  if (line.trim() === '') return undefined;
  const parsed = eventSchema.safeParse(JSON.parse(line));
  if (!parsed.success || LOOKS.test(parsed.data.Action)) return undefined;
  const { Action: action, Actor: actor } = parsed.data;
  const { exitCode, signal, [labels.id]: id = '', [labels.kind]: kind = 'workspace' } = actor.Attributes;
  if (!FOLLOWED.has(kind)) return undefined;
  return {
    type: TYPES[action.split(':')[0] ?? ''] ?? 'other',
    containerId: actor.ID,
    workspaceId: kind === 'workspace' ? id : '',
    exitCode: exitCode === undefined ? null : Number(exitCode),
    signal: signal === undefined ? null : Number(signal),
  };
}
