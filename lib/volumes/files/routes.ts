import 'server-only';
import path from 'node:path';
import { z } from 'zod';
import { streamActor } from '@/lib/auth/actor';
import { originOf } from '@/lib/auth/call-origin';
import { takeStreamPlace } from '@/lib/auth/stream-places';
import { AppError } from '@/lib/errors';
import {
  filePathSchema,
  openHostDownload,
  requireLength,
  sendToHost,
  uploadQuerySchema,
  whileAllowed,
} from '@/lib/hosts/host-files';
import { askHost } from '@/lib/hosts/link/ask-host';
import type { RequestContext, Route } from '@/lib/http/context';
import { attachmentHeaders } from '@/lib/http/file-headers';
import { defineRoute } from '@/lib/http/route';
import { createScope, scopedBody } from '@/lib/http/sse';
import { wayOf } from '@/lib/policies/actor';
import { fileListingSchema, fileWrittenSchema } from '@/lib/protocol/file-streams';
import { recordAuditAlone } from '@/lib/records/audit';
import type { AuditAction } from '@/lib/vocabulary/audit';
import { volumes } from '../collection';
import { measureVolume, volumeSizeSchema } from '../measure-volumes';
import { whileStored } from '../quota-checks';
import { changeSchema, changeVolume, requireVolume, volumeFor, type VolumeQuestion } from './request';

const FILES = '/api/volume/:id/files';
const PATH = { path: 'Where in the volume, from its root on' };
const querySchema = z.object({ path: filePathSchema });

const pathOf = (context: RequestContext): string =>
  querySchema.parse({ path: context.query.get('path') ?? undefined }).path;

/** Who reads, also by a page's own cookie. Throws `unauthenticated`, `not_found` and `forbidden`. */
async function requireReader(context: RequestContext): Promise<VolumeQuestion> {
  const actor = await streamActor(context);
  if (actor.kind === 'guest') throw new AppError('unauthenticated', 'The request requires a logged-in user.');
  return volumeFor(actor, context.params.id ?? '', 'attach');
}

interface Told {
  action: AuditAction;
  context: RequestContext;
  details: Record<string, unknown>;
}

function audit({ actor, volume }: VolumeQuestion, { action, context, details }: Told): Promise<void> {
  const on = { collection: 'volumes', record: volume.id, name: volume.name };
  return recordAuditAlone({ action, actor, from: originOf(context, wayOf(actor)), on, details });
}

const CHANGES = {
  makeFolder: 'volume.makeFolder',
  move: 'volume.moveFile',
  remove: 'volume.removeFile',
} as const;

/** What is in a volume: read by who may attach it, changed by who may modify it. */
export const volumeFileRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: FILES,
    summary: 'What lies in a folder of a volume, or what a path there leads to',
    query: PATH,
    answer: fileListingSchema,
    async handle({ context }) {
      const { volume } = await requireReader(context);
      const open = { kind: 'volumeList' as const, volumeId: volume.id, path: pathOf(context) };
      return askHost(volume.host, open, { schema: fileListingSchema, signal: context.signal });
    },
  }),
  defineRoute({
    method: 'GET',
    path: `${FILES}/download`,
    summary: 'A file of a volume, or a folder of it as a tar',
    query: PATH,
    mediaType: 'application/octet-stream',
    async handle({ context }) {
      const question = await requireReader(context);
      const { actor, volume } = question;
      const where = pathOf(context);
      const scope = createScope(context.signal);
      takeStreamPlace(actor, scope);
      try {
        const signal = whileAllowed(actor, { collection: volumes, id: volume.id, act: 'attach' }, scope);
        const open = { kind: 'volumeRead' as const, volumeId: volume.id, path: where };
        const { head, bytes } = await openHostDownload(volume.host, open, signal);
        const base = path.posix.basename(where) || volume.name;
        const details = { path: where, ...(head.size !== null && { size: head.size }) };
        await audit(question, { action: 'volume.downloadFile', context, details });
        return {
          status: 200,
          headers: {
            ...attachmentHeaders(head.kind === 'folder' ? `${base}.tar` : base),
            ...(head.size !== null && { 'content-length': String(head.size) }),
          },
          body: scopedBody(scope, bytes),
        };
      } catch (error) {
        scope.end();
        throw error;
      }
    },
  }),
  defineRoute({
    method: 'POST',
    path: FILES,
    summary: 'Puts a file into a folder of a volume; the body is its content',
    query: { path: 'The folder', name: 'Name of the file', replace: '`1` takes the place of a file of that name' },
    guard: (context) => requireVolume(context, 'modify'),
    bodyShape: z.file(),
    bodyTypes: ['application/octet-stream'],
    read: (context) => ({ size: requireLength(context) }),
    answer: z.strictObject({ path: z.string(), size: z.int().describe('Bytes') }),
    async handle({ context, body: { size }, caller }) {
      const { path: folder, name, replace: replaces } = uploadQuerySchema.parse(Object.fromEntries(context.query));
      const { actor, volume } = caller;
      const scope = createScope(context.signal);
      takeStreamPlace(actor, scope);
      try {
        const signal = whileAllowed(actor, { collection: volumes, id: volume.id, act: 'modify' }, scope);
        const body = context.bodyStream().iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
        const open = { kind: 'volumeWrite' as const, volumeId: volume.id, path: folder, name, size, replaces };
        await whileStored({ volume, actor, bytes: size }, () =>
          sendToHost(volume.host, open, { size, body, schema: fileWrittenSchema, signal }),
        );
      } finally {
        scope.end();
      }
      const where = path.posix.join(folder, name);
      await audit(caller, { action: 'volume.uploadFile', context, details: { path: where, size } });
      return { path: where, size };
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${FILES}/change`,
    summary: 'Makes a folder in a volume, or moves or removes what is there',
    guard: (context) => requireVolume(context, 'modify'),
    body: changeSchema,
    status: 204,
    example: { act: 'makeFolder', path: '/', name: 'models' },
    async handle({ context, body, caller }) {
      await changeVolume(caller, body, context.signal);
      const { act, ...details } = body;
      await audit(caller, { action: CHANGES[act], context, details });
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/volume/:id/measure',
    summary: 'Has the host count how much is in a volume',
    guard: (context) => requireVolume(context, 'attach'),
    answer: volumeSizeSchema,
    handle: ({ context, caller: { volume } }) => measureVolume(volume, context.signal),
  }),
];
