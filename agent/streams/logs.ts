import type { MuxStream } from '../../lib/protocol/mux-stream';
import { StreamClosedError } from '../../lib/protocol/mux-stream';
import type { LogLine, OpenStream } from '../../lib/protocol/streams';
import { hasOwnName } from '../reconcile/workspaces/own';
import type { Engine, ObservedContainer } from '../engines/engine';
import { toMessage } from '../engines/engine-error';

const BATCH_BYTES = 16 * 1024;

interface LogSource {
  engine: Engine;
  hostId: string;
}

/** Answers an `open {kind: logs}` with the workspace's lines. Ends when the container does; the reader opens anew. */
export function serveLogs(stream: MuxStream, open: OpenStream, source: LogSource): void {
  const stopped = new AbortController();
  const stop = (): void => stopped.abort();
  stream.listen({ onEnd: stop, onError: stop });
  pipeLogs(stream, open, { ...source, signal: stopped.signal }).catch((error: unknown) => {
    if (!(error instanceof StreamClosedError)) stream.fail(toMessage(error));
    stop();
  });
}

async function pipeLogs(
  stream: MuxStream,
  open: OpenStream,
  source: LogSource & { signal: AbortSignal },
): Promise<void> {
  const { engine, hostId, signal } = source;
  const held = (await engine.observe(hostId)).filter((container) => container.workspaceId === open.workspaceId);
  const own = held.filter(hasOwnName);
  const container = pickContainer(own.length > 0 ? own : held);
  if (!container) return stream.end({ code: null, message: 'The workspace has no container' });
  let batch = '';
  let sending: Promise<void> | undefined;
  let failure: unknown;
  // Lines that come while a write waits for credit go out together with the next.
  const send = (): void => {
    if (sending || batch === '' || failure) return;
    const bytes = Buffer.from(batch, 'utf8');
    batch = '';
    sending = stream.write(bytes).then(
      () => {
        sending = undefined;
        send();
      },
      (error: unknown) => {
        failure = error;
      },
    );
  };
  for await (const line of engine.logs(container.containerId, open, signal)) {
    if (failure) throw failure;
    batch += toJsonLine(line);
    send();
    if (batch.length >= BATCH_BYTES) await sending;
  }
  while (sending && !failure) await sending;
  if (failure) throw failure;
  stream.end({ code: null, message: '' });
}

/** The one that runs, else the newest. */
function pickContainer(containers: ObservedContainer[]): ObservedContainer | undefined {
  const sorted = containers.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
  return sorted.find((container) => container.state === 'running') ?? sorted[0];
}

function toJsonLine({ t, s, m }: LogLine): string {
  return `${JSON.stringify({ t, s, m })}\n`;
}
