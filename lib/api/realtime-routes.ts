import 'server-only';
import { z } from 'zod';
import { requestActor } from '@/lib/auth/actor';
import { addressBlock } from '@/lib/auth/address-block';
import { AppError, type FieldProblems, GENERIC_MESSAGE } from '@/lib/errors';
import { readSmallBody } from '@/lib/http/body';
import type { KernelResponse, RequestContext, Route } from '@/lib/http/context';
import { defineRoute } from '@/lib/http/route';
import type { Actor } from '@/lib/policies/actor';
import { limits } from '@/lib/vocabulary/limits';
import { realtimeHub } from '@/lib/realtime/hub';

const MAX_TOPICS = 1000;
const MAX_TOPIC_CHARS = 2500;
/** What is kept of one stream. */
const MAX_CHARS = 524_288;
/** The same of someone who has not signed in, of whom there may be any number. */
const MAX_GUEST_CHARS = 16_384;
/** JSON and percent signs make texts longer. */
const BODY_BYTES = 1024 * 1024;

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
    handle: ({ context }) => handleConnect(context),
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
    guard: requestActor,
    read: readSubscriptions,
    handle: ({ caller, body }) => subscribe(caller, body),
  }),
];

function handleConnect({ address: from }: RequestContext): KernelResponse {
  const address = from === '' ? '' : addressBlock(from);
  realtimeHub().refuseMany(address);
  const headers = {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store, no-transform',
    'x-accel-buffering': 'no',
  };
  return { status: 200, headers, live: (outlet) => void realtimeHub().connect(outlet, address) };
}

interface Subscriptions {
  clientId: string;
  subscriptions: string[];
}

function subscribe(actor: Actor, { clientId, subscriptions }: Subscriptions): void {
  const chars = subscriptions.reduce((sum, name) => sum + name.length, 0);
  const maxChars = actor.kind === 'guest' ? MAX_GUEST_CHARS : MAX_CHARS;
  if (chars > maxChars) {
    throw new AppError('invalid', GENERIC_MESSAGE, { fields: { subscriptions: tooLong(maxChars) } });
  }
  realtimeHub().subscribe(clientId, { actor, names: subscriptions });
}

async function readSubscriptions(context: RequestContext, caller: Actor): Promise<Subscriptions> {
  const limitBytes = caller.kind === 'guest' ? limits.smallBodyBytes : BODY_BYTES;
  const raw = await readSmallBody(context, limitBytes).catch(() => {
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
