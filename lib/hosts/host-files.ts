import 'server-only';
import path from 'node:path';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { z, type ZodType } from 'zod';
import { watchAccess } from '@/lib/auth/watch-access';
import { AppError } from '@/lib/errors';
import type { RequestContext } from '@/lib/http/context';
import type { StreamScope } from '@/lib/http/sse';
import type { Actor } from '@/lib/policies/actor';
import { type FileHead, fileHeadSchema } from '@/lib/protocol/file-streams';
import { StreamClosedError } from '@/lib/protocol/mux-stream';
import type { OpenStream } from '@/lib/protocol/streams';
import type { ActOn } from '@/lib/records/acts';
import { limits } from '@/lib/vocabulary/limits';
import { parseAnswer, readAnswer } from './link/ask-host';
import { openHostStream } from './link/host-link';
import { readChunks } from './link/stream-chunks';

/** A path of files at a host: from their root on, with `..` taken out as the host would. */
export const filePathSchema = z
  .string()
  .max(limits.containerPathLength)
  .regex(/^\/[^\0]*$/, 'Must begin with a slash.')
  .transform((text) => path.posix.normalize(text).replace(/(?<=.)\/$/, ''));

export const fileNameSchema = z
  .string()
  .min(1)
  .max(255)
  .refine((name) => !/[/\0]/.test(name) && name !== '.' && name !== '..', 'Must be the name of a file.');

/** Of an upload. */
export const uploadQuerySchema = z.object({
  path: filePathSchema,
  name: fileNameSchema,
  replace: z
    .enum(['0', '1'])
    .default('0')
    .transform((flag) => flag === '1'),
});

const HEAD_PATIENCE_MS = 30_000;
/** Longer first lines are none. */
const HEAD_BYTES = 8192;
const LINE_END = 10;

/** How large the body says that it is. Throws `invalid` and `too_large`. */
export function requireLength(context: RequestContext): number {
  const said = context.header('content-length');
  const size = Number(said);
  if (!/^\d+$/.test(said)) throw new AppError('invalid', 'Say with Content-Length how large the file is.');
  if (size > limits.workspaceFileBytes) {
    const most = limits.workspaceFileBytes / 1024 ** 3;
    throw new AppError('too_large', `The file is larger than ${most} GB, which is the most that can be uploaded.`);
  }
  return size;
}

/** The scope's signal, which also fires once the actor may no longer. */
export function whileAllowed<T extends SQLiteTable, A extends string>(
  actor: Actor,
  watched: ActOn<T, A>,
  scope: StreamScope,
): AbortSignal {
  const access = watchAccess(actor, watched);
  if (scope.signal.aborted) access.stop();
  else scope.signal.addEventListener('abort', access.stop, { once: true });
  return AbortSignal.any([scope.signal, access.signal]);
}

export interface HostDownload {
  head: FileHead;
  /** Breaks off with an error where it is not whole; returns the host's closing words. */
  bytes: AsyncGenerator<Buffer, string>;
}

/** Opens a file of a host, or a folder as a tar, until the signal fires. Throws `not_found`, and the host's own refusals. */
export async function openHostDownload(hostId: string, open: OpenStream, signal: AbortSignal): Promise<HostDownload> {
  const late = new AbortController();
  const either = AbortSignal.any([signal, late.signal]);
  const stream = openHostStream(hostId, open);
  stream.growWindow();
  const chunks = readChunks(stream, either);
  const patience = setTimeout(() => late.abort(), HEAD_PATIENCE_MS);
  try {
    const { line, rest } = await readLine(chunks);
    return { head: parseAnswer(line, fileHeadSchema), bytes: theRest(chunks, { rest, signal: either }) };
  } catch (error) {
    late.abort();
    throw error;
  } finally {
    clearTimeout(patience);
  }
}

interface Sent<T> {
  /** Bytes that were announced. */
  size: number;
  body: AsyncIterable<Buffer>;
  /** Of the answer. */
  schema: ZodType<T>;
  signal: AbortSignal;
}

/** Hands bytes on to a host, no faster than it takes them, and answers what it says. Throws its refusals. */
export async function sendToHost<T>(
  hostId: string,
  open: OpenStream,
  { size, body, schema, signal }: Sent<T>,
): Promise<T> {
  const stream = openHostStream(hostId, open);
  const answered = readAnswer(readChunks(stream, signal), schema);
  let sent = 0;
  const send = async (): Promise<void> => {
    for await (const chunk of body) {
      sent += chunk.length;
      if (sent > size) throw new AppError('invalid', 'The file is larger than was said.');
      await stream.write(chunk);
    }
    if (sent < size) throw new AppError('invalid', 'The file ended before its time.');
  };
  try {
    // A host that refuses does so before it has taken all.
    return await Promise.race([answered, send().then(() => answered)]);
  } catch (error) {
    // It has ended the stream: why is in its answer.
    if (error instanceof StreamClosedError) return await answered;
    answered.catch(() => undefined);
    stream.cancel();
    throw error instanceof AppError ? error : new AppError('invalid', 'The upload broke off.');
  }
}

async function readLine(chunks: AsyncGenerator<Buffer, string>): Promise<{ line: string; rest: Buffer }> {
  let held: Buffer = Buffer.alloc(0);
  while (held.length < HEAD_BYTES) {
    const next = await chunks.next();
    if (next.done) break;
    held = Buffer.concat([held, next.value]);
    const end = held.indexOf(LINE_END);
    if (end >= 0) return { line: held.toString('utf8', 0, end), rest: held.subarray(end + 1) };
  }
  return { line: '', rest: held };
}

async function* theRest(
  chunks: AsyncGenerator<Buffer, string>,
  { rest, signal }: { rest: Buffer; signal: AbortSignal },
): AsyncGenerator<Buffer, string> {
  try {
    if (rest.length > 0) yield rest;
    let next = await chunks.next();
    for (; !next.done; next = await chunks.next()) yield next.value;
    // What was cut must not look whole.
    if (signal.aborted) throw new AppError('forbidden', 'You may no longer read this file.');
    return next.value;
  } finally {
    await chunks.return('');
  }
}
