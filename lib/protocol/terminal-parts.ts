import { z } from 'zod';
import { FrameError } from './frames';

/** What a terminal's stream carries to the console: parts of one kind byte, four of length and the payload. */

/** Longest part; what is longer goes in several. */
export const TERMINAL_PART_MAX = 32 * 1024;
/** Output of a session that is kept for replay. */
export const TERMINAL_REPLAY_BYTES = 1024 * 1024;

const HEADER_BYTES = 5;
const OUTPUT = 0;
const NEWS = 1;

export const terminalNewsSchema = z.discriminatedUnion('k', [
  z.object({
    k: z.literal('begin'),
    /** Place of the first byte that follows, counted from the session's first. */
    offset: z.int(),
    /** Up to here it is replay: what is asked of the terminal in it was answered then. */
    replayTo: z.int(),
    isNew: z.boolean(),
    owner: z.string(),
    /** What runs, as `bash`; empty when nobody knows. */
    program: z.string(),
    takesInput: z.boolean(),
  }),
  /** So many bytes came too fast for this viewer. */
  z.object({ k: z.literal('skipped'), bytes: z.int() }),
  /** The terminal's size now: that which fits all of its viewers. */
  z.object({ k: z.literal('size'), cols: z.int(), rows: z.int() }),
  /** There is no terminal, for a reason that trying again does not mend. */
  z.object({ k: z.literal('refused'), code: z.string(), message: z.string() }),
]);
export type TerminalNews = z.infer<typeof terminalNewsSchema>;
export type TerminalPart = { output: Buffer } | { news: TerminalNews };

export function encodeOutput(bytes: Buffer): Buffer {
  return encodePart(OUTPUT, bytes);
}

export function encodeNews(news: TerminalNews): Buffer {
  return encodePart(NEWS, Buffer.from(JSON.stringify(news), 'utf8'));
}

function encodePart(kind: number, payload: Buffer): Buffer {
  if (payload.length > TERMINAL_PART_MAX) throw new FrameError(`A part has at most ${TERMINAL_PART_MAX} bytes`);
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + payload.length);
  bytes.writeUInt8(kind, 0);
  bytes.writeUInt32BE(payload.length, 1);
  payload.copy(bytes, HEADER_BYTES);
  return bytes;
}

/** Puts the parts of a stream together from chunks that are cut anywhere. */
export class TerminalPartReader {
  private held: Buffer = Buffer.alloc(0);

  /** Parts that are whole by now; kinds that only a newer agent knows are passed over. Throws a FrameError on nonsense. */
  *push(chunk: Buffer): Generator<TerminalPart> {
    let bytes = this.held.length === 0 ? chunk : Buffer.concat([this.held, chunk]);
    while (bytes.length >= HEADER_BYTES) {
      const length = bytes.readUInt32BE(1);
      if (length > TERMINAL_PART_MAX) throw new FrameError(`A part has at most ${TERMINAL_PART_MAX} bytes`);
      if (bytes.length < HEADER_BYTES + length) break;
      const part = readPart(bytes.readUInt8(0), bytes.subarray(HEADER_BYTES, HEADER_BYTES + length));
      bytes = bytes.subarray(HEADER_BYTES + length);
      if (part) yield part;
    }
    this.held = bytes;
  }
}

function readPart(kind: number, payload: Buffer): TerminalPart | undefined {
  if (kind === OUTPUT) return { output: payload };
  if (kind !== NEWS) return undefined;
  const news = terminalNewsSchema.safeParse(JSON.parse(payload.toString('utf8')));
  return news.success ? { news: news.data } : undefined;
}
