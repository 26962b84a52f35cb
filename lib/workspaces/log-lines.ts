import 'server-only';
import { readChunks } from '@/lib/hosts/link/stream-chunks';
import type { MuxStream } from '@/lib/protocol/mux-stream';
import { type LogEvent, logEventSchema } from '@/lib/protocol/streams';

/** A line that never ends is cut, so that one workspace can't fill the console's memory. */
const LINE_CHARS_MAX = 1024 * 1024;

/**
 * The log lines that come over a stream, and the news between them, read as fast as the caller takes them; returns the host's closing words. Ends
 * early, and gives the stream up, when the signal fires or the caller stops. Throws `host_unavailable` when the link is
 * lost or the host fails.
 */
export async function* readLogEvents(stream: MuxStream, signal: AbortSignal): AsyncGenerator<LogEvent[], string> {
  const chunks = readChunks(stream, signal);
  const decoder = new TextDecoder();
  let rest = '';
  try {
    let next = await chunks.next();
    for (; !next.done; next = await chunks.next()) {
      const lines = (rest + decoder.decode(next.value, { stream: true })).split('\n');
      rest = (lines.pop() ?? '').slice(0, LINE_CHARS_MAX);
      yield lines.flatMap(parseLine);
    }
    return next.value;
  } finally {
    await chunks.return('');
  }
}

function parseLine(text: string): LogEvent[] {
  if (text === '') return [];
  try {
    return [logEventSchema.parse(JSON.parse(text))];
  } catch {
    return [];
  }
}
