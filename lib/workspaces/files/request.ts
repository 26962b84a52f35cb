import 'server-only';
import path from 'node:path';
import { z } from 'zod';
import { askHost, parseAnswer, readAnswer } from '@/lib/hosts/link/ask-host';
import { openHostStream } from '@/lib/hosts/link/host-link';
import { readChunks } from '@/lib/hosts/link/stream-chunks';
import { watchAccess } from '@/lib/auth/watch-access';
import { AppError } from '@/lib/errors';
import type { StreamScope } from '@/lib/http/sse';
import type { Actor } from '@/lib/policies/actor';
import { StreamClosedError } from '@/lib/protocol/mux-stream';
import {
  type FileHead,
  fileHeadSchema,
  type FileListing,
  fileListingSchema,
  fileWrittenSchema,
} from '@/lib/protocol/file-streams';
import { limits } from '@/lib/vocabulary/limits';
import { workspaces, type WorkspaceRow } from '../collection';

/** A path in a container: from its root on, with `..` taken out as the container would. */
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

const HEAD_PATIENCE_MS = 30_000;
/** Longer first lines are none. */
const HEAD_BYTES = 8192;
const LINE_END = 10;

export interface FileQuestion {
  actor: Actor;
  workspace: WorkspaceRow;
  path: string;
}

/** What lies in a folder of a workspace's container. Throws `not_found`, and the host's own refusals. */
export function listFiles({ workspace, path: where }: FileQuestion, signal: AbortSignal): Promise<FileListing> {
  const open = { kind: 'fileList' as const, workspaceId: workspace.id, path: where };
  return askHost(workspace.host, open, { schema: fileListingSchema, signal });
}

export interface Download {
  head: FileHead;
  /** Breaks off with an error where it is not whole. */
  bytes: AsyncGenerator<Buffer>;
}

/** Opens a file, or a folder as a tar, until the scope ends or the actor may no longer. Throws as `listFiles` does. */
export async function openDownload(
  { actor, workspace, path: where }: FileQuestion,
  scope: StreamScope,
): Promise<Download> {
  const signal = whileAllowed(actor, workspace, scope);
  const stream = openHostStream(workspace.host, { kind: 'fileRead', workspaceId: workspace.id, path: where });
  const chunks = readChunks(stream, signal);
  const patience = setTimeout(() => scope.end(), HEAD_PATIENCE_MS);
  try {
    const { line, rest } = await readLine(chunks);
    return { head: parseAnswer(line, fileHeadSchema), bytes: theRest(chunks, { rest, signal }) };
  } catch (error) {
    scope.end();
    throw error;
  } finally {
    clearTimeout(patience);
  }
}

export interface Upload extends FileQuestion {
  name: string;
  size: number;
  replaces: boolean;
  body: AsyncIterable<Buffer>;
}

/**
 * Hands a file on to the container, no faster than the host takes it. The scope has to end in the end. Throws `conflict`
 * where there is one of its name.
 */
export async function sendUpload(upload: Upload, scope: StreamScope): Promise<void> {
  const { actor, workspace, path: where, name, size, replaces, body } = upload;
  const signal = whileAllowed(actor, workspace, scope);
  const open = { kind: 'fileWrite' as const, workspaceId: workspace.id, path: where, name, size, replaces };
  const stream = openHostStream(workspace.host, open);
  const answered = readAnswer(readChunks(stream, signal), fileWrittenSchema);
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
    await Promise.race([answered, send().then(() => answered)]);
  } catch (error) {
    // It has ended the stream: why is in its answer.
    if (error instanceof StreamClosedError) await answered;
    throw error instanceof AppError ? error : new AppError('invalid', 'The upload broke off.');
  }
}

/** The scope's signal, which also fires once the actor may no longer. */
function whileAllowed(actor: Actor, workspace: WorkspaceRow, scope: StreamScope): AbortSignal {
  const access = watchAccess(actor, { collection: workspaces, id: workspace.id, act: 'attach' });
  if (scope.signal.aborted) access.stop();
  else scope.signal.addEventListener('abort', access.stop, { once: true });
  return AbortSignal.any([scope.signal, access.signal]);
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
): AsyncGenerator<Buffer> {
  try {
    if (rest.length > 0) yield rest;
    let next = await chunks.next();
    for (; !next.done; next = await chunks.next()) yield next.value;
    // What was cut must not look whole.
    if (signal.aborted) throw new AppError('forbidden', 'You may no longer read this file.');
  } finally {
    await chunks.return('');
  }
}
