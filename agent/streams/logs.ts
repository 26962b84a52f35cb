import type { MuxStream } from '../../lib/protocol/mux-stream';
import { StreamClosedError } from '../../lib/protocol/mux-stream';
import type { OpenLog } from '../../lib/protocol/streams';
import { toMessage } from '../engines/engine-error';
import { sendLogs } from './follow-logs';
import { LineWriter } from './line-writer';
import type { LogSource } from './log-source';
import { sendMatches, sendRange } from './read-logs';

/** Answers an `open` of a log: its lines, a range of them, or those that match. */
export function serveLogs(stream: MuxStream, open: OpenLog, source: LogSource): void {
  const stopped = new AbortController();
  const stop = (): void => stopped.abort();
  stream.listen({ onEnd: stop, onError: stop });
  pipeLogs(stream, open, { source, signal: stopped.signal }).catch((error: unknown) => {
    if (!(error instanceof StreamClosedError)) stream.fail(toMessage(error));
    stop();
  });
}

async function pipeLogs(
  stream: MuxStream,
  open: OpenLog,
  { source, signal }: { source: LogSource; signal: AbortSignal },
): Promise<void> {
  const writer = new LineWriter(stream);
  const context = { source, signal, write: writer.write.bind(writer) };
  let message = '';
  if (open.kind === 'logs') message = await sendLogs(open, context);
  else if (open.kind === 'logRange') await sendRange(open, context);
  else await sendMatches(open, context);
  await writer.flush();
  stream.end({ code: null, message });
}
