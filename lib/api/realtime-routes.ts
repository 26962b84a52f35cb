import 'server-only';
import { z } from 'zod';
import { requestActor } from '@/lib/auth/actor';
import { AppError, type FieldProblems, GENERIC_MESSAGE } from '@/lib/errors';
import { readSmallBody } from '@/lib/http/body';
import type { KernelResponse, RequestContext, Route } from '@/lib/http/context';
import { defineRoute } from '@/lib/http/route';
import { realtimeHub } from '@/lib/realtime/hub';

const MAX_TOPICS = 1000;
const MAX_TOPIC_CHARS = 2500;
/** What is kept of someone who has not signed in, of whom there may be any number. */
const MAX_GUEST_CHARS = 16_384;
const BODY_BYTES = 4 * 1024 * 1024;

const bodySchema = z.object({
  clientId: z.string().default(''),
  /** One alone is no list in a form. */
  subscriptions: z.union([z.array(z.string()), z.string().transform((name) => [name])]).nullish(),
});

export const realtimeRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/realtime',
    summary: 'The event stream',
    mediaType: 'text/event-stream',
    handle: handleConnect,
  }),
  defineRoute({
    method: 'POST',
    path: '/api/realtime',
    summary: 'Sets what a stream listens to',
    bodyShape: z.object({
      clientId: z.string().describe('Id of the stream, from its first event'),
      subscriptions: z.array(z.string().max(MAX_TOPIC_CHARS)).max(MAX_TOPICS).optional(),
    }),
    example: { clientId: 'id of the stream', subscriptions: ['workspaces/*'] },
    read: readSubscriptions,
    handle: ({ context, body }) => subscribe(context, body),
  }),
];

function handleConnect(): KernelResponse {
  const headers = {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  };
  return { status: 200, headers, live: (outlet) => void realtimeHub().connect(outlet) };
}

interface Subscriptions {
  clientId: string;
  subscriptions: string[];
}

function subscribe(context: RequestContext, { clientId, subscriptions }: Subscriptions): void {
  const actor = requestActor(context);
  const chars = subscriptions.reduce((sum, name) => sum + name.length, 0);
  if (actor.kind === 'guest' && chars > MAX_GUEST_CHARS) {
    throw new AppError('invalid', GENERIC_MESSAGE, { fields: { subscriptions: tooLong(MAX_GUEST_CHARS) } });
  }
  realtimeHub().subscribe(clientId, { actor, names: subscriptions });
}

async function readSubscriptions(context: RequestContext): Promise<Subscriptions> {
  const raw = await readSmallBody(context, BODY_BYTES).catch(() => {
    throw new AppError('invalid', GENERIC_MESSAGE);
  });
  const parsed = bodySchema.safeParse(raw);
  if (!parsed.success) throw new AppError('invalid', GENERIC_MESSAGE);
  const subscriptions = parsed.data.subscriptions ?? [];
  const fields: FieldProblems = {};
  if (parsed.data.clientId === '') fields.clientId = { code: 'validation_required', message: 'Cannot be blank.' };
  if (subscriptions.length > MAX_TOPICS) fields.subscriptions = tooLong(MAX_TOPICS);
  const long = subscriptions.flatMap((name, index) =>
    name.length > MAX_TOPIC_CHARS ? [[index, tooLong(MAX_TOPIC_CHARS)]] : [],
  );
  if (long.length > 0) fields.subscriptions ??= Object.fromEntries(long) as FieldProblems;
  if (Object.keys(fields).length > 0) throw new AppError('invalid', GENERIC_MESSAGE, { fields });
  return { clientId: parsed.data.clientId, subscriptions };
}

function tooLong(max: number) {
  return { code: 'validation_length_too_long', message: `The length must be no more than ${max}.` };
}
