import 'server-only';
import { requireLoggedIn } from '@/lib/auth/require-logged-in';
import { z } from 'zod';
import { requestActor, streamActor } from '@/lib/auth/actor';
import type { Route } from '@/lib/http/context';
import { takeStreamPlace } from '@/lib/auth/stream-places';
import { attachmentHeaders } from '@/lib/http/file-headers';
import { defineRoute } from '@/lib/http/route';
import { createScope, eventStream, type SseEvent } from '@/lib/http/sse';
import { LIST_FILE_BYTES } from '@/lib/vocabulary/list-files';
import { IMAGE_ACTIONS } from '@/lib/vocabulary/image-status';
import { importAnswerSchema, importLists, importSchema } from './carry/import-lists';
import { exportImage, exportQuerySchema } from './export-image';
import { previewAnswerSchema, previewImage, previewSchema, readPreviewBody } from './preview-image';
import { openBuildLog, type OpenBuildLog } from './read-build-log';
import { requestImage } from './request-image';

const requestSchema = z
  .strictObject({
    action: z.enum(IMAGE_ACTIONS),
    lockOf: z.int().min(1).optional().describe('Number of the build whose versions a build is to have, all of them'),
  })
  .refine(({ action, lockOf }) => lockOf === undefined || action === 'build', {
    path: ['lockOf'],
    message: 'Only a build keeps to a lock.',
  });
const answerSchema = z.strictObject({
  id: z.string(),
  status: z.string(),
  buildNumber: z.int().describe('Number of the newest build; 0 before one'),
});

const buildLogQuerySchema = z.object({
  build: z.coerce.number().int().min(1).optional(),
  follow: z
    .enum(['0', '1', 'true', 'false'])
    .transform((text) => text === '1' || text === 'true')
    .default(true),
});
const sequenceSchema = z.coerce.number().int().min(0).catch(0);

async function* buildLogEvents(log: OpenBuildLog, signal: AbortSignal): AsyncGenerator<SseEvent> {
  let next = await log.chunks.next();
  for (; !next.done; next = await log.chunks.next()) {
    yield { id: String(next.value.sequence), data: { text: next.value.text } };
  }
  if (log.revoked.aborted) yield { event: 'end', data: { status: '', reason: 'revoked' } };
  else if (!signal.aborted) yield { event: 'end', data: { status: next.value, reason: 'ended' } };
}

export const imageRoutes: Route[] = [
  defineRoute({
    method: 'POST',
    path: '/api/images/preview',
    summary: 'The Dockerfile that is generated from lists of packages, without an image being made',
    guard: requireLoggedIn,
    body: previewSchema,
    answer: previewAnswerSchema,
    read: readPreviewBody,
    status: 200,
    example: { environments: [{ name: 'main', packages: [{ manager: 'pypi', name: 'numpy' }] }] },
    handle: ({ body }) => previewImage(body),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/images/import',
    summary: 'What a requirements.txt, environment.yml, pyproject.toml or Dockerfile comes to as lists of packages',
    guard: requireLoggedIn,
    body: importSchema,
    // A text of 50 KB may be escaped to twice that and more.
    limitBytes: 6 * LIST_FILE_BYTES,
    answer: importAnswerSchema,
    status: 200,
    example: { text: 'numpy>=2\n', file: 'requirements.txt' },
    handle: ({ body }) => importLists(body),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/image/:id/export',
    summary: 'What an image is made of, as a file of another tool',
    query: {
      format: '`requirements.txt`, `environment.yml` or `Dockerfile`',
      environment: 'Name of the environment, where there are several',
    },
    mediaType: 'text/plain',
    async handle({ context }) {
      const { token: _token, ...asked } = Object.fromEntries(context.query);
      const query = exportQuerySchema.parse(asked);
      const file = exportImage(await streamActor(context), { imageId: context.params.id ?? '', ...query });
      const headers = { ...attachmentHeaders(file.name), 'content-type': 'text/plain; charset=utf-8' };
      return { status: 200, headers, body: file.text };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/image/:id/request',
    summary: 'Builds an image, cancels its build, enables, disables or deletes it, or makes one from a template',
    body: requestSchema,
    answer: answerSchema,
    status: 202,
    example: { action: 'build' },
    handle: ({ context, body: { action, lockOf } }) =>
      requestImage(requestActor(context), { imageId: context.params.id ?? '', action, lockOf }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/image/:id/build-log',
    summary: 'A build’s log as an event stream',
    query: { build: 'Number of the build, else the newest', follow: '`0` ends at what there is' },
    mediaType: 'text/event-stream',
    async handle({ context }) {
      const actor = await streamActor(context);
      const { build, follow } = buildLogQuerySchema.parse(Object.fromEntries(context.query));
      const after = sequenceSchema.parse(context.header('last-event-id'));
      const scope = createScope(context.signal);
      const request = { imageId: context.params.id ?? '', number: build, after, follow };
      const log = openBuildLog(actor, request, scope.signal);
      takeStreamPlace(actor, scope);
      return eventStream(scope, buildLogEvents(log, scope.signal));
    },
  }),
];
