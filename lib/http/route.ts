import { z, type ZodType } from 'zod';
import { readSmallBody } from './body';
import type { KernelResponse, RequestContext, Route } from './context';

type Maybe<T> = T | Promise<T>;
type Body = Record<string, unknown>;
type BodyOf<B> = B extends ZodType ? z.output<B> : Body;
type AnswerOf<A> = A extends ZodType ? z.input<A> | Reply<z.input<A>> : KernelResponse | void;

/** What a call is like, for whoever describes or tests the API. */
export interface RouteDescription {
  summary: string;
  /** Query parameters by name, each with what it means. */
  query?: Readonly<Record<string, string>>;
  /** What the body is like. */
  body?: ZodType;
  /** What a good answer is like: its JSON, or its media type where it is none. Absent where it has no body. */
  answer?: ZodType | string;
  status: number;
  /** A body for the description, which the call takes as it is. */
  example?: Body;
}

interface RouteSpec<B, A, C> {
  method: Route['method'];
  /** `/api/image/:id/request` */
  path: string;
  summary: string;
  query?: RouteDescription['query'];
  /** Whom the call is open to: runs before the body is read, and throws for everyone else. */
  guard?: (context: RequestContext) => Maybe<C>;
  /** Parses the body. Every wrong field is refused at once, before `handle`. */
  body?: B;
  /** Describes a body that the act itself checks, in the record API's own words. */
  bodyShape?: ZodType;
  limitBytes?: number;
  /** Of the JSON that `handle` returns. */
  answer?: A;
  /** Of the answer's body where it is no JSON. */
  mediaType?: string;
  /** 200, or 204 where there is nothing to answer. */
  status?: number;
  example?: Body;
  handle(call: { context: RequestContext; body: BodyOf<B>; caller: C }): Maybe<AnswerOf<A>>;
}

/** A JSON answer with headers of its own. */
class Reply<T> {
  constructor(
    readonly json: T,
    readonly headers: KernelResponse['headers'],
  ) {}
}

/** The JSON that a route answers, with these headers. */
export function withHeaders<T>(json: T, headers: KernelResponse['headers']): Reply<T> {
  return new Reply(json, headers);
}

/** One call, said once: the kernel serves it, its body is read by its schema, and the API's description shows it. */
export function defineRoute<
  const B extends ZodType | undefined = undefined,
  const A extends ZodType | undefined = undefined,
  C = undefined,
>(spec: RouteSpec<B, A, C>): Route {
  const { method, path, summary, query, example, answer, mediaType } = spec;
  const status = spec.status ?? (answer || mediaType ? 200 : 204);
  const takesBody = spec.body !== undefined || spec.bodyShape !== undefined;
  const about = { summary, query, body: spec.body ?? spec.bodyShape, answer: answer ?? mediaType, status, example };
  async function handle(context: RequestContext): Promise<KernelResponse> {
    const caller = (await spec.guard?.(context)) as C;
    const raw = takesBody ? await readSmallBody(context, spec.limitBytes) : {};
    const body = (spec.body ? spec.body.parse(raw) : raw) as BodyOf<B>;
    const result = await spec.handle({ context, body, caller });
    if (!answer) return (result as KernelResponse | undefined) ?? { status };
    return result instanceof Reply ? { status, json: result.json, headers: result.headers } : { status, json: result };
  }
  return { method, path, handle, about };
}

/** A record of a collection, in the description of a call's answer. */
export function recordOf(collection: string): ZodType<object> {
  return z.record(z.string(), z.unknown()).meta({ record: collection });
}
