import 'server-only';
import { type z, ZodError } from 'zod';
import { nowMs } from '@/lib/clock';
import { AppError } from '@/lib/errors';
import type { KernelResponse, RequestContext, Route } from '@/lib/http/context';
import { toErrorResponse } from '@/lib/http/error-response';
import { CONSOLE_KEY_HEADER, SIGNATURE_HEADER } from '@/lib/protocol/answer-signature';
import { consolePublicKey, signAnswer } from './console-key';
import { verifyProof } from './proof';

/** The console's time, milliseconds since the epoch, on every answer to an agent, so that it can set its clock. */
const NOW_HEADER = 'x-berth-now';

/** When an agent may try again after a failure of ours. */
const RETRY_AFTER_SECONDS = 2;

/** Answers an agent: refusals and failures too carry the console's time, in the body as `now` and as a header. */
export async function answerAgent(
  context: RequestContext,
  handle: () => Promise<KernelResponse>,
): Promise<KernelResponse> {
  let response: KernelResponse;
  try {
    response = await handle();
  } catch (error) {
    response = toAgentRefusal(error, context);
  }
  return { ...response, headers: { ...response.headers, ...signed(context, response), 'cache-control': 'no-store' } };
}

/** By these an agent knows that the answer is this console's, and to its very request. */
function signed(context: RequestContext, { status, json }: KernelResponse): Record<string, string> {
  const body = json === undefined ? '' : JSON.stringify(json);
  return {
    [NOW_HEADER]: String(nowMs()),
    [CONSOLE_KEY_HEADER]: consolePublicKey(),
    [SIGNATURE_HEADER]: signAnswer({ authorization: context.header('authorization'), status, body }),
  };
}

/**
 * What an agent is told of a failure. One that is not the call's fault is no 400, as the record API has it: an agent drops
 * what will never be taken, and sends the rest again.
 */
function toAgentRefusal(error: unknown, context: RequestContext): KernelResponse {
  const refused = toErrorResponse(error, context);
  const isOurs = error instanceof AppError ? error.code === 'internal' : !(error instanceof ZodError);
  const body = { ...(refused.json as object), now: nowMs() };
  if (!isOurs) return { ...refused, json: body };
  const headers = { ...refused.headers, 'retry-after': String(RETRY_AFTER_SECONDS) };
  return { status: 503, headers, json: { ...body, code: 503 } };
}

/** Throws `invalid` for what is no JSON, and the schema's own error. */
export function parseBody<T>(schema: z.ZodType<T>, body: Buffer): T {
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    // No cause: a parser's words quote the body, and causes are logged.
    throw new AppError('invalid', 'The body is no JSON.');
  }
  return schema.parse(value);
}

/** A route that only a host's agent may call; its body is proven before it is parsed. */
export function agentRoute<T>(route: {
  method: 'GET' | 'POST';
  path: string;
  limitBytes: number;
  schema: z.ZodType<T>;
  handle(call: { hostId: string; body: T; context: RequestContext }): Promise<unknown>;
}): Route {
  const { method, path, limitBytes, schema } = route;
  return {
    method,
    path,
    handle: (context) =>
      answerAgent(context, async () => {
        const raw = method === 'GET' ? Buffer.alloc(0) : await context.body(limitBytes);
        const authorization = context.header('authorization');
        const { hostId } = verifyProof({ authorization, method, path: context.path, body: raw });
        const body = method === 'GET' ? schema.parse(undefined) : parseBody(schema, raw);
        const json = await route.handle({ hostId, body, context });
        return json === undefined ? { status: 204 } : { status: 200, json };
      }),
  };
}

/** The same for a file: what the agent was asked for with its hash, so that the answer's own words need no signature. */
export function agentDownload(route: {
  path: string;
  handle(call: { hostId: string; context: RequestContext }): Promise<KernelResponse>;
}): Route {
  const { path } = route;
  return {
    method: 'GET',
    path,
    handle: (context) =>
      answerAgent(context, async () => {
        const authorization = context.header('authorization');
        const { hostId } = verifyProof({ authorization, method: 'GET', path: context.path, body: Buffer.alloc(0) });
        return route.handle({ hostId, context });
      }),
  };
}
