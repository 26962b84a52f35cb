import 'server-only';
import { z } from 'zod';
import { requestActor, streamActor } from '@/lib/auth/actor';
import { openBuildLog, type OpenBuildLog } from './read-build-log';
import { requestImage } from './request-image';
import { IMAGE_ACTIONS } from '@/lib/vocabulary/image-status';
import type { Route } from '@/lib/http/context';
import { readJson } from '@/lib/http/json-body';
import { createScope, eventStream, type SseEvent } from '@/lib/http/sse';

const requestSchema = z.strictObject({ action: z.enum(IMAGE_ACTIONS) });

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
  {
    method: 'POST',
    path: '/api/image/:id/request',
    async handle(context) {
      const { action } = await readJson(context, requestSchema);
      const json = await requestImage(requestActor(context), { imageId: context.params.id ?? '', action });
      return { status: 202, json };
    },
  },
  {
    method: 'GET',
    path: '/api/image/:id/build-log',
    async handle(context) {
      const actor = await streamActor(context);
      const { build, follow } = buildLogQuerySchema.parse(Object.fromEntries(context.query));
      const after = sequenceSchema.parse(context.header('last-event-id'));
      const scope = createScope(context.signal);
      const request = { imageId: context.params.id ?? '', number: build, after, follow };
      const log = openBuildLog(actor, request, scope.signal);
      return eventStream(scope, buildLogEvents(log, scope.signal));
    },
  },
];
