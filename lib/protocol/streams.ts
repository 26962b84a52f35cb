import { z } from 'zod';

/** Payloads of the live link's control frames, JSON in UTF-8. */

export const openLogsSchema = z.object({
  kind: z.literal('logs'),
  workspaceId: z.string(),
  /** Lines from the end; null sends all. */
  tail: z.int().min(0).max(100_000).nullable(),
  /** The engine's timestamp (RFC 3339, nanoseconds) of the last line that the reader holds; empty from the start. */
  since: z.string(),
  follow: z.boolean(),
});
export const openStreamSchema = z.discriminatedUnion('kind', [openLogsSchema]);
/** All that is certain of a stream that only a newer side knows. */
export const openKindSchema = z.object({ kind: z.string() });
export type OpenStream = z.infer<typeof openStreamSchema>;

/** A log line travels as one JSON line: `{"t": engine timestamp, "s": "out" | "err", "m": text}` and a newline. */
export const logLineSchema = z.object({ t: z.string(), s: z.enum(['out', 'err']), m: z.string() });
export type LogLine = z.infer<typeof logLineSchema>;

export const wakeSchema = z.object({ revision: z.int() });
export const goAwaySchema = z.object({ goAway: z.object({ afterMs: z.number() }) });
/** Payload of a `wake` frame: news of the link itself. */
export const linkNewsSchema = z.union([goAwaySchema, wakeSchema]);
export const resizeSchema = z.object({ cols: z.int().min(1).max(10_000), rows: z.int().min(1).max(10_000) });
export type TerminalSize = z.infer<typeof resizeSchema>;
export const endSchema = z.object({ code: z.int().nullable(), message: z.string() });
export const errorSchema = z.object({ message: z.string() });

export type StreamEnd = z.infer<typeof endSchema>;

export const FRAME_PAYLOAD_MAX = 64 * 1024;
export const STREAM_WINDOW_BYTES = 256 * 1024;
export const LINK_PING_MS = 15_000;
