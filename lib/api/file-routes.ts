import 'server-only';
import fs from 'node:fs/promises';
import { z } from 'zod';
import { createReadStream, type Stats } from 'node:fs';
import path from 'node:path';
import { adminProofShape, requireAdminProof } from '@/lib/accounts/security/admin-proof';
import { accountById } from '@/lib/auth/accounts';
import type { AdminActor } from '@/lib/auth/admin-guard';
import { isFreshProof, provenAt } from '@/lib/auth/fresh-admin';
import { actorOfFileToken, requestActor, signInOfAuthorization } from '@/lib/auth/actor';
import { issueToken } from '@/lib/auth/tokens';
import { users } from '@/lib/accounts/collection';
import { AppError, NOT_FOUND_MESSAGE } from '@/lib/errors';
import { ensureThumbnail } from './thumbnails';
import type { KernelResponse, RequestContext, Route } from '@/lib/http/context';
import { defineRoute } from '@/lib/http/route';
import type { Collection } from '@/lib/records/collection';
import type { Field } from '@/lib/records/fields/field';
import { actorUserId, credentialOf, type Actor } from '@/lib/policies/actor';
import { type MediaType, mediaTypeOfFile } from '@/lib/records/media-type';
import { matchRecord } from '@/lib/records/reader';
import { findCollection } from '@/lib/records/registry';
import { storedFilesFolder, thumbsFolder } from '@/lib/records/stored-files';
import { StoreReader } from '@/lib/records/transaction';
import { fileHeaders, rangeOf } from '@/lib/http/file-headers';

const PATH = '/api/files/:collection/:id/:name';
const DEFAULT_THUMB = '100x100';

export const fileRoutes: Route[] = [
  defineRoute({
    method: 'POST',
    path: '/api/files/token',
    summary: 'A token for protected files, for two minutes',
    bodyShape: adminProofShape,
    answer: z.strictObject({ token: z.string() }),
    example: { password: 'Berth!pass1' },
    handle: ({ context, body }) => createToken(context, body),
  }),
  defineRoute({
    method: 'GET',
    path: PATH,
    summary: 'A stored file',
    query: {
      thumb: 'Size of a small picture of it, as `100x100`',
      download: '`1` has browsers keep it in place of showing it',
      token: 'A file token, for protected files',
    },
    mediaType: '*/*',
    handle: ({ context }) => handleDownload(context),
  }),
  { method: 'HEAD', path: PATH, handle: handleDownload },
];

async function createToken(context: RequestContext, body: Readonly<Record<string, unknown>>) {
  const actor = requestActor(context);
  const account = accountById(actorUserId(actor));
  if (!account) throw new AppError('invalid', 'Failed to generate file token.');
  const by = credentialOf(actor);
  if (actor.kind === 'admin')
    return { token: issueToken(account, 'adminFile', users.id, await proofOf(context, actor, body)) };
  const lid = signInOfAuthorization(context.header('authorization'));
  const claims = by ? (by.kind === 'session' ? { sid: by.id } : { tid: by.id }) : { lid };
  return { token: issueToken(account, 'file', users.id, claims) };
}

/** Without a proof the token opens files still, but no backup. */
async function proofOf(
  context: RequestContext,
  admin: AdminActor,
  body: Readonly<Record<string, unknown>>,
): Promise<{ at?: number }> {
  const isProven = isFreshProof(provenAt(context.header('authorization')));
  return isProven || body.password !== undefined ? { at: await requireAdminProof(context, admin, body) } : {};
}

async function handleDownload(context: RequestContext): Promise<KernelResponse> {
  const found = findFile(context);
  if (!found) throw notFound();
  refuseUnproven(context, found);
  const { collection, field, id, name } = found;
  const original = path.join(storedFilesFolder(collection.id, id), name);
  const type = await mediaTypeOfFile(original).catch(() => undefined);
  if (!type) throw notFound();
  const { mime } = type;
  const shown = await thumbOf(context.query.get('thumb') ?? '', { field, collection, id, name, original, mime });
  const stats = await fs.stat(shown.file).catch(() => undefined);
  if (!stats?.isFile()) throw notFound();
  return serve(context, { ...shown, type, stats, isProtected: Boolean(found.field.file!.isProtected) });
}

interface FoundFile {
  collection: Collection;
  field: Field;
  id: string;
  name: string;
}

/** The file, if some file field of the record holds exactly that name; paths are built from what is stored alone. */
function findFile({ params }: RequestContext): FoundFile | undefined {
  const collection = findCollection(params.collection!, { anyCase: true });
  const row = collection && (new StoreReader().get(collection, params.id!) as Record<string, unknown> | undefined);
  if (!row) return undefined;
  for (const [key, field] of collection.fields) {
    if (field.kind !== 'file') continue;
    const name = ([row[key]].flat() as string[]).find((each) => each !== '' && each === params.name);
    if (name !== undefined) return { collection, field, id: String(row.id), name };
  }
  return undefined;
}

/** A protected file opens to a file token whose owner may view the record; no other proof counts here. */
function refuseUnproven(context: RequestContext, { collection, field, id }: FoundFile): void {
  if (!field.file!.isProtected) return;
  const actor = actorOfFileToken(context.query.get('token') ?? '');
  if (actor.kind !== 'guest' && isVisible(collection, actor, id)) return;
  throw new AppError('forbidden', 'Insufficient permissions to access the file resource.');
}

function isVisible(collection: Collection, actor: Actor, id: string): boolean {
  try {
    return matchRecord(collection, actor, { id, filter: '', rule: 'view' }) !== undefined;
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

/** The thumbnail where one of a known size was asked for and can be made; the original otherwise. */
async function thumbOf(
  size: string,
  { field, collection, id, name, original, mime }: FoundFile & { original: string; mime: string },
): Promise<{ file: string; name: string }> {
  const isKnown = size === DEFAULT_THUMB || field.file!.thumbs.includes(size);
  if (!isKnown) return { file: original, name };
  const thumbName = `${size}_${name}`;
  const target = path.join(thumbsFolder(collection.id, id, name), thumbName);
  const isMade = await ensureThumbnail({ original, target, size, mime });
  return isMade ? { file: target, name: thumbName } : { file: original, name };
}

interface Served {
  file: string;
  name: string;
  type: MediaType;
  stats: Stats;
  isProtected: boolean;
}

function serve(context: RequestContext, { file, name, type, stats, isProtected }: Served): KernelResponse {
  const headers = fileHeaders({ name, type, stats, isProtected, download: context.query.get('download') ?? '' });
  const modifiedSeconds = Math.floor(stats.mtimeMs / 1000);
  // Before the range: whoever has the newest whole needs no part. A condition on a tag that there is none of goes first.
  const since = context.header('if-none-match') === '' ? Date.parse(context.header('if-modified-since')) : NaN;
  if (since / 1000 >= modifiedSeconds) return { status: 304, headers };
  const range = rangeOf(context, stats);
  if (range === 'outside') {
    return { status: 416, headers: { ...headers, 'content-range': `bytes */${stats.size}` }, body: '' };
  }
  if (!range) {
    headers['content-length'] = String(stats.size);
    return { status: 200, headers, body: context.method === 'HEAD' ? undefined : createReadStream(file) };
  }
  headers['content-length'] = String(range.end - range.start + 1);
  headers['content-range'] = `bytes ${range.start}-${range.end}/${stats.size}`;
  return { status: 206, headers, body: context.method === 'HEAD' ? undefined : createReadStream(file, range) };
}

function notFound(): AppError {
  return new AppError('not_found', NOT_FOUND_MESSAGE);
}
