import { z } from 'zod';
import { openDiskSchema, openPruneSchema } from './disk-streams';
import { openDoctorSchema } from './doctor-streams';
import { openFileListSchema, openFileReadSchema, openFileWriteSchema } from './file-streams';
import { openHostMetricsSchema, openListenersSchema, openMetricsSchema, openQuietSchema } from './measure-streams';
import { openRemoteDigestSchema, openSignInSchema } from './registry-streams';
import { openNvidiaSchema, openTraefikSchema } from './proxy-streams';
import { openTunnelSchema } from './tunnel-streams';
import {
  openVolumeChangeSchema,
  openVolumeListSchema,
  openVolumeReadSchema,
  openVolumeRestoreSchema,
  openVolumeSizesSchema,
  openVolumeWriteSchema,
} from './volume-streams';

/** Columns or rows of a terminal. */
const TERMINAL_SIDE_MAX = 10_000;

/** Payloads of the live link's control frames, JSON in UTF-8. */

export const openLogsSchema = z.object({
  kind: z.literal('logs'),
  workspaceId: z.string(),
  /** Lines from the end; null sends all. */
  tail: z.int().min(0).max(100_000).nullable(),
  /** The engine's timestamp (RFC 3339, nanoseconds) of the last line that the reader holds; empty from the start. */
  since: z.string(),
  /** Timestamp after which nothing is wanted, and nothing is followed; empty for no end. The last lines before it are sent. */
  until: z.string().default(''),
  /** On through ends and starts, and into the next container. */
  follow: z.boolean(),
  /** Whether to tell how many lines lie before the first one. */
  numbered: z.boolean().default(false),
});
/** Lines of a container's log by their number, which counts from 1 over what the engine keeps. */
export const openLogRangeSchema = z.object({
  kind: z.literal('logRange'),
  workspaceId: z.string(),
  containerId: z.string(),
  from: z.int().min(1),
  to: z.int().min(1),
  /** Timestamp of the oldest line that the reader holds: that one and later ones are left out. Empty for no bound. */
  before: z.string(),
});
export const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const;
export type LogLevelWord = (typeof LOG_LEVELS)[number];
/** The lines of a container's log that match, at most so many. */
export const openLogSearchSchema = z.object({
  kind: z.literal('logSearch'),
  workspaceId: z.string(),
  containerId: z.string(),
  from: z.int().min(1),
  to: z.int().min(1).nullable(),
  /** Empty matches every line. */
  pattern: z.string().max(1000),
  isRegex: z.boolean(),
  isCaseSensitive: z.boolean(),
  isInverted: z.boolean(),
  /** Lines of other levels are left out; empty takes all. */
  levels: z.array(z.enum(LOG_LEVELS)),
  limit: z.int().min(1).max(10_000),
});
/** A terminal: that of a session which runs on, or a new one. */
const openTerminal = {
  /** Given by the console; nobody guesses it. */
  session: z.string().min(1).max(100),
  /** Whether there is no such session yet. */
  isNew: z.boolean(),
  /** Whose eyes: replay is theirs from where they first looked on. */
  viewer: z.string(),
  /** Bytes of output that the viewer holds already; null for one that holds none. */
  from: z.int().min(0).nullable(),
  cols: z.int().min(1).max(TERMINAL_SIDE_MAX),
  rows: z.int().min(1).max(TERMINAL_SIDE_MAX),
};
const openExecSchema = z.object({
  kind: z.literal('exec'),
  workspaceId: z.string(),
  ...openTerminal,
  /** For the image's shell; empty for the shell itself. */
  command: z.string().max(10_000),
  /** The same as words, for an image without a shell. */
  words: z.array(z.string()),
  /** Empty for the image's own. */
  user: z.string().max(256),
  workdir: z.string().max(4096),
});
const openAttachSchema = z.object({ kind: z.literal('attach'), workspaceId: z.string(), ...openTerminal });
/** A shell of the agent's user on the host itself, where the agent was started to give one. */
const openHostShellSchema = z.object({ kind: z.literal('hostShell'), ...openTerminal });
export const openStreamSchema = z.discriminatedUnion('kind', [
  openLogsSchema,
  openLogRangeSchema,
  openLogSearchSchema,
  openExecSchema,
  openAttachSchema,
  openHostShellSchema,
  openFileListSchema,
  openFileReadSchema,
  openFileWriteSchema,
  openMetricsSchema,
  openHostMetricsSchema,
  openListenersSchema,
  openQuietSchema,
  openDoctorSchema,
  openSignInSchema,
  openRemoteDigestSchema,
  openDiskSchema,
  openPruneSchema,
  openTraefikSchema,
  openNvidiaSchema,
  openTunnelSchema,
  openVolumeListSchema,
  openVolumeReadSchema,
  openVolumeWriteSchema,
  openVolumeChangeSchema,
  openVolumeRestoreSchema,
  openVolumeSizesSchema,
]);
/** All that is certain of a stream that only a newer side knows. */
export const openKindSchema = z.object({ kind: z.string() });
export type OpenStream = z.infer<typeof openStreamSchema>;
export type OpenExec = z.infer<typeof openExecSchema>;
export type OpenAttach = z.infer<typeof openAttachSchema>;
export type OpenHostShell = z.infer<typeof openHostShellSchema>;
export type OpenTerminal = OpenExec | OpenAttach | OpenHostShell;

export function isTerminalOpen(open: OpenStream): open is OpenTerminal {
  return open.kind === 'exec' || open.kind === 'attach' || open.kind === 'hostShell';
}
export type OpenLogs = z.infer<typeof openLogsSchema>;
export type OpenLogRange = z.infer<typeof openLogRangeSchema>;
export type OpenLogSearch = z.infer<typeof openLogSearchSchema>;
export type OpenLog = OpenLogs | OpenLogRange | OpenLogSearch;

/** A log line travels as one JSON line: `{"t": engine timestamp, "s": "out" | "err", "m": text}` and a newline. */
export const logLineSchema = z.object({
  t: z.string(),
  s: z.enum(['out', 'err']),
  m: z.string(),
  /** The line's number, in ranges and searches. */
  n: z.int().optional(),
});
export type LogLine = z.infer<typeof logLineSchema>;

/** What is told between the lines, one JSON line each; who doesn't know one passes over it. */
const logNewsSchema = z.discriminatedUnion('k', [
  /** The lines that follow are this container's. */
  z.object({ k: z.literal('source'), containerId: z.string() }),
  /** It has ended; what it prints when it is started again follows. */
  z.object({ k: z.literal('ended'), exitCode: z.int(), isRestarting: z.boolean() }),
  /** So many lines lie before the first one that was sent of this container. */
  z.object({ k: z.literal('numbered'), before: z.int() }),
  /** A search has come to its end: lines read and lines that match, of which only so many as were asked for were sent. */
  z.object({ k: z.literal('searched'), lines: z.int(), hits: z.int() }),
]);
export const logEventSchema = z.union([logNewsSchema, logLineSchema]);
export type LogEvent = z.infer<typeof logEventSchema>;

export function isLogLine(event: LogEvent): event is LogLine {
  return !('k' in event);
}

export const wakeSchema = z.object({ revision: z.int() });
export const goAwaySchema = z.object({ goAway: z.object({ afterMs: z.number() }) });
/** Payload of a `wake` frame: news of the link itself. */
export const linkNewsSchema = z.union([goAwaySchema, wakeSchema]);
export const resizeSchema = z.object({
  cols: z.int().min(1).max(TERMINAL_SIDE_MAX),
  rows: z.int().min(1).max(TERMINAL_SIDE_MAX),
});
export type TerminalSize = z.infer<typeof resizeSchema>;
export const endSchema = z.object({ code: z.int().nullable(), message: z.string() });
export const errorSchema = z.object({ message: z.string() });

export type StreamEnd = z.infer<typeof endSchema>;

export const FRAME_PAYLOAD_MAX = 64 * 1024;
export const STREAM_WINDOW_BYTES = 256 * 1024;
export const LINK_PING_MS = 15_000;
