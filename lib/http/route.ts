import { z, type ZodType } from 'zod';
import { readSmallBody } from './body';
import type { KernelResponse, RequestContext, Route } from './context';
import { parseFields } from '@/lib/records/pick';

type Maybe<T> = T | Promise<T>;
type Body = Record<string, unknown>;
type BodyOf<B, R> = B extends ZodType ? z.output<B> : R;
type AnswerOf<A> = A extends ZodType ? z.input<A> | Reply<z.input<A>> : KernelResponse | void;

/** What a call is like, for whoever describes or tests the API. */
export interface RouteDescription {
  summary: string;
  /** Query parameters by name, each with what it means. */
  query?: Readonly<Record<string, string>>;
  /** What the body is like. */
  body?: ZodType;
  /** How the body may be written; as JSON where left out. */
  bodyTypes?: readonly string[];
  /** What a good answer is like: its JSON, or its media types where it is none. Absent where it has no body. */
  answer?: ZodType | readonly string[];
  status: number;
  /** A body for the description, which the call takes as it is. */
  example?: Body;
}

interface RouteSpec<B, A, C, R> {
  method: Route['method'];
  /** `/api/image/:id/request` */
  path: string;
  summary: string;
  isOwn?: boolean;
  query?: RouteDescription['query'];
  /** Whom the call is open to: runs before the body is read, and throws for everyone else. */
  guard?: (context: RequestContext) => Maybe<C>;
  /** Parses the body. Every wrong field is refused at once, before `handle`. */
  body?: B;
  /** Describes a body that the act itself checks, in the record API's own words. */
  bodyShape?: ZodType;
  bodyTypes?: RouteDescription['bodyTypes'];
  limitBytes?: number;
  /** Reads the body where the reader of small ones does not fit. */
  read?: (context: RequestContext, caller: C) => Maybe<R>;
  /** Of the JSON that `handle` returns. */
  answer?: A;
  /** Whether the answer is cut to what `?fields=` names; on a page that is said of its items. */
  picks?: boolean;
  /** Of the answer's body where it is no JSON. */
  mediaType?: string | readonly string[];
  /** 200, or 204 where there is nothing to answer. */
  status?: number;
  example?: Body;
  handle(call: { context: RequestContext; body: BodyOf<B, R>; caller: C }): Maybe<AnswerOf<A>>;
}

interface ReplyHead {
  headers?: KernelResponse['headers'];
  /** Where it is another than the route's own. */
  status?: number;
}

/** A JSON answer with a head of its own. */
class Reply<T> {
  constructor(
    readonly json: T,
    readonly head: ReplyHead,
  ) {}
}

/** The JSON that a route answers, with this head. */
export function reply<T>(json: T, head: ReplyHead): Reply<T> {
  return new Reply(json, head);
}

/** One call, said once: the kernel serves it, its body is read by its schema, and the API's description shows it. */
export function defineRoute<
  const B extends ZodType | undefined = undefined,
  const A extends ZodType | undefined = undefined,
  C = undefined,
  R = Body,
>(spec: RouteSpec<B, A, C, R>): Route {
  const { method, path, answer, isOwn } = spec;
  const about = describe(spec);
  async function handle(context: RequestContext): Promise<KernelResponse> {
    const caller = (await spec.guard?.(context)) as C;
    const body = (await readBody(spec, context, caller)) as BodyOf<B, R>;
    const result = await spec.handle({ context, body, caller });
    if (!answer) return (result as KernelResponse | undefined) ?? { status: about.status };
    const { json, head } = result instanceof Reply ? result : { json: result as unknown, head: {} };
    return { status: about.status, ...head, json: spec.picks ? pickFrom(json, context.query) : json };
  }
  return { method, path, handle, about, isOwn };
}

function describe<B, A, C, R>(spec: RouteSpec<B, A, C, R>): RouteDescription {
  const { summary, bodyTypes, picks, mediaType, example } = spec;
  const answer = (spec.answer as ZodType | undefined) ?? (mediaType ? [mediaType].flat() : undefined);
  const query = picks
    ? { ...spec.query, fields: 'What to keep of the answer, by name, with commas between' }
    : spec.query;
  const body = (spec.body as ZodType | undefined) ?? spec.bodyShape;
  return { summary, query, body, bodyTypes, answer, status: spec.status ?? (answer ? 200 : 204), example };
}

async function readBody<B, A, C, R>(spec: RouteSpec<B, A, C, R>, context: RequestContext, caller: C): Promise<unknown> {
  const schema = spec.body as ZodType | undefined;
  if (!spec.read && !schema && !spec.bodyShape) return {};
  const raw = spec.read ? await spec.read(context, caller) : await readSmallBody(context, spec.limitBytes);
  return schema ? schema.parse(raw) : raw;
}

/** What of an answer is asked for by `fields`; on a page that is said of its items. */
export function pickFrom(answer: unknown, query: URLSearchParams): unknown {
  const pick = parseFields(query.get('fields') ?? '');
  if (!pick) return answer;
  const isPage = typeof answer === 'object' && answer !== null && 'items' in answer && 'totalItems' in answer;
  return isPage ? { ...answer, items: pick(answer.items) } : pick(answer);
}

/** A record of a collection, in the description of a call's answer. */
export function recordOf(collection: string): ZodType<object, object> {
  return z.record(z.string(), z.unknown()).meta({ record: collection });
}
