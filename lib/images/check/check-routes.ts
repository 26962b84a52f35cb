import 'server-only';
import { requireLoggedIn } from '@/lib/auth/require-logged-in';
import { z } from 'zod';
import { requestActor, streamActor } from '@/lib/auth/actor';
import { takeStreamPlace } from '@/lib/auth/stream-places';
import type { Route } from '@/lib/http/context';
import { defineRoute } from '@/lib/http/route';
import { createScope, eventStream, type SseEvent } from '@/lib/http/sse';
import { readPreviewBody } from '../preview-image';
import { readJobLog } from '../read-build-log';
import { cancelCheck, checkImage, checkSchema, requireCheck } from './check-image';
import { readCheck } from './kept-checks';

const sequenceSchema = z.coerce.number().int().min(0).catch(0);

async function* checkEvents(
  id: string,
  { after, signal }: { after: number; signal: AbortSignal },
): AsyncGenerator<SseEvent> {
  const statusOf = (): string => readCheck(id)?.status ?? 'error';
  const chunks = readJobLog(id, { after, follow: true, signal, statusOf });
  let next = await chunks.next();
  for (; !next.done; next = await chunks.next()) {
    yield { id: String(next.value.sequence), data: { text: next.value.text } };
  }
  if (!signal.aborted) yield { event: 'end', data: { status: next.value, message: readCheck(id)?.message ?? '' } };
}

export const checkRoutes: Route[] = [
  defineRoute({
    method: 'POST',
    path: '/api/images/check',
    summary: 'Finds out on a host whether environments can be had, without an image being made',
    guard: requireLoggedIn,
    body: checkSchema,
    answer: z.strictObject({ id: z.string().describe('Of the check') }),
    read: readPreviewBody,
    status: 202,
    example: { build_on: 'HOST_ID', environments: [{ name: 'main', packages: [{ manager: 'pypi', name: 'numpy' }] }] },
    handle: ({ context, body }) => checkImage(requestActor(context), body),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/images/check/:id/log',
    summary: 'What a check prints, as an event stream; its last event says how it ended and, in words, why',
    mediaType: 'text/event-stream',
    async handle({ context }) {
      const actor = await streamActor(context);
      const { id } = requireCheck(actor, context.params.id ?? '');
      const after = sequenceSchema.parse(context.header('last-event-id'));
      const scope = createScope(context.signal);
      takeStreamPlace(actor, scope);
      return eventStream(scope, checkEvents(id, { after, signal: scope.signal }));
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/images/check/:id/cancel',
    summary: 'Stops a check',
    status: 204,
    handle: ({ context }) => cancelCheck(requestActor(context), context.params.id ?? ''),
  }),
];
