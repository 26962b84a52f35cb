import 'server-only';
import path from 'node:path';
import { z } from 'zod';
import { requestActor, streamActor } from '@/lib/auth/actor';
import { originOf } from '@/lib/auth/call-origin';
import { takeStreamPlace } from '@/lib/auth/stream-places';
import type { RequestContext, Route } from '@/lib/http/context';
import { attachmentHeaders } from '@/lib/http/file-headers';
import { filePathSchema, requireLength, uploadQuerySchema } from '@/lib/hosts/host-files';
import { defineRoute } from '@/lib/http/route';
import { createScope, scopedBody } from '@/lib/http/sse';
import { wayOf, type Actor } from '@/lib/policies/actor';
import { fileListingSchema } from '@/lib/protocol/file-streams';
import { recordAuditAlone } from '@/lib/records/audit';
import { requireTerminalRight } from '../terminals/request';
import { type FileQuestion, listFiles, openDownload, sendUpload } from './request';

const FILES = '/api/workspace/:id/files';
const PATH = { path: 'Where in the container, from its root on' };

const querySchema = z.object({ path: filePathSchema });

/** What is asked, by who may attach. Throws `unauthenticated`, `not_found`, `forbidden` and `invalid`. */
function questionOf(context: RequestContext, actor: Actor): FileQuestion {
  const workspace = requireTerminalRight(actor, context.params.id ?? '');
  return { actor, workspace, ...querySchema.parse({ path: context.query.get('path') ?? undefined }) };
}

interface Told {
  action: 'workspace.downloadFile' | 'workspace.uploadFile';
  context: RequestContext;
  details: Record<string, unknown>;
}

function audit({ actor, workspace }: FileQuestion, { action, context, details }: Told): Promise<void> {
  const on = { collection: 'workspaces', record: workspace.id, name: workspace.name };
  return recordAuditAlone({ action, actor, from: originOf(context, wayOf(actor)), on, details });
}

/** The files of a workspace's container, for who may attach to it. */
export const workspaceFileRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: FILES,
    summary: 'What lies in a folder of a workspace’s container, or what a path there leads to',
    query: PATH,
    answer: fileListingSchema,
    async handle({ context }) {
      return listFiles(questionOf(context, await streamActor(context)), context.signal);
    },
  }),
  defineRoute({
    method: 'GET',
    path: `${FILES}/download`,
    summary: 'A file of a workspace’s container, or a folder of it as a tar',
    query: PATH,
    mediaType: 'application/octet-stream',
    async handle({ context }) {
      const question = questionOf(context, await streamActor(context));
      const scope = createScope(context.signal);
      takeStreamPlace(question.actor, scope);
      const { head, bytes } = await openDownload(question, scope);
      const base = path.posix.basename(question.path) || question.workspace.name;
      const details = { path: question.path, ...(head.size !== null && { size: head.size }) };
      await audit(question, { action: 'workspace.downloadFile', context, details });
      return {
        status: 200,
        headers: {
          ...attachmentHeaders(head.kind === 'folder' ? `${base}.tar` : base),
          ...(head.size !== null && { 'content-length': String(head.size) }),
        },
        body: scopedBody(scope, bytes),
      };
    },
  }),
  defineRoute({
    method: 'POST',
    path: FILES,
    summary: 'Puts a file into a folder of a workspace’s container; the body is its content',
    query: {
      path: 'The folder, from the container’s root on',
      name: 'Name of the file',
      replace: '`1` takes the place of a file of that name',
    },
    guard: (context) => questionOf(context, requestActor(context)),
    bodyShape: z.file(),
    bodyTypes: ['application/octet-stream'],
    read: (context, question) => ({ ...question, size: requireLength(context) }),
    answer: z.strictObject({ path: z.string(), size: z.int().describe('Bytes') }),
    async handle({ context, body: upload }) {
      const { name, replace: replaces } = uploadQuerySchema.parse(Object.fromEntries(context.query));
      const scope = createScope(context.signal);
      takeStreamPlace(upload.actor, scope);
      try {
        const body = context.bodyStream().iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
        await sendUpload({ ...upload, name, replaces, body }, scope);
      } finally {
        scope.end();
      }
      const where = path.posix.join(upload.path, name);
      await audit(upload, {
        action: 'workspace.uploadFile',
        context,
        details: { path: where, size: upload.size },
      });
      return { path: where, size: upload.size };
    },
  }),
];
