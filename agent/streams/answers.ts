import { StreamClosedError, type MuxStream } from '../../lib/protocol/mux-stream';
import type { RefusedCode } from '../../lib/protocol/file-streams';
import type { Engine } from '../engines/engine';
import { EngineError, toMessage } from '../engines/engine-error';
import type { Place } from '../engines/engine-inside';
import { findContainer } from './log-source';

export interface AnswerSource {
  engine: Engine;
  hostId: string;
}

/** A question that is not answered, for a reason that people can be told. */
export class RefusedQuestion extends Error {
  constructor(
    readonly code: RefusedCode,
    message: string,
  ) {
    super(message);
  }
}

/** The container of a workspace. Throws a RefusedQuestion where it has none. */
export async function requirePlace(source: AnswerSource, workspaceId: string, path: string): Promise<Place> {
  const container = await findContainer(source, workspaceId);
  if (!container) throw new RefusedQuestion('container', 'The workspace has no container yet. Deploy it first.');
  return { containerId: container.containerId, isRunning: container.state === 'running', path };
}

/** A signal that fires once the other side has gone, or ended the stream. */
export function watchStream(stream: MuxStream, onData?: (chunk: Buffer) => void): AbortSignal {
  const gone = new AbortController();
  const stop = (): void => gone.abort();
  stream.listen({ onEnd: stop, onError: stop, ...(onData && { onData }) });
  return gone.signal;
}

/** Answers a question with one JSON text, or with why not. */
export async function answer(stream: MuxStream, work: () => Promise<unknown>): Promise<void> {
  let text: unknown;
  try {
    text = await work();
  } catch (error) {
    text = { refused: toRefusal(error) };
  }
  await send(stream, text);
}

/** Says why there is no answer. */
export function refuse(stream: MuxStream, error: unknown): Promise<void> {
  return send(stream, { refused: toRefusal(error) });
}

async function send(stream: MuxStream, text: unknown): Promise<void> {
  try {
    await stream.write(Buffer.from(`${JSON.stringify(text)}\n`, 'utf8'));
    stream.end();
  } catch (error) {
    if (!(error instanceof StreamClosedError)) stream.fail(toMessage(error));
  }
}

function toRefusal(error: unknown): { code: RefusedCode; message: string } {
  return { code: codeOf(error), message: toMessage(error).slice(0, 2000) };
}

function codeOf(error: unknown): RefusedCode {
  if (error instanceof RefusedQuestion) return error.code;
  if (!(error instanceof EngineError)) return 'failed';
  if (error.kind === 'not-found') return 'missing';
  if (error.kind === 'busy' || error.kind === 'exists' || error.kind === 'full') return error.kind;
  return error.kind === 'invalid' || error.kind === 'conflict' ? 'invalid' : 'failed';
}
