import type { Readable } from 'node:stream';
import type { Outlet } from '@/lib/outlet';
import type { RouteDescription } from './route';

/**
 * One request as the kernel sees it, the same behind both doors (the server's own lane and Next's Route Handlers).
 * Everything is lazy: a call pays only for what it reads.
 */
export interface RequestContext {
  readonly method: string;
  /** Path without the query, trailing slash stripped, still percent-encoded. */
  readonly path: string;
  /** Query string without `?`, as sent. */
  readonly rawQuery: string;
  /** Parsed query; the first of repeated names counts when read by `get`. */
  readonly query: URLSearchParams;
  /** Values of the route's `:name` parts, percent-decoded once. */
  readonly params: Readonly<Record<string, string>>;
  /** A request header by lower-case name; empty when missing. */
  header(name: string): string;
  /** Address of the caller; of the trusted proxy's client where one is configured. */
  readonly address: string;
  /** Whether the caller reached us by https, directly or through a trusted proxy. */
  readonly isSecure: boolean;
  /** Whether it was sent on this machine, with no proxy in between. */
  readonly isLocal: boolean;
  /** The whole body. Throws AppError `too_large` past the limit. */
  body(limitBytes: number): Promise<Buffer>;
  /** The body as a stream, for multipart. */
  bodyStream(): Readable;
  /** Fires when the caller goes away. */
  readonly signal: AbortSignal;
}

/** What a handler answers: `json` is serialised, a `body` that is a stream is piped with back-pressure. */
export interface KernelResponse {
  status: number;
  headers?: Record<string, string | string[]>;
  json?: unknown;
  body?: string | Buffer | Readable;
  /** Instead of a body: called once the head is sent, with where to write. */
  live?: (outlet: Outlet) => void;
}

export type Handler = (context: RequestContext) => Promise<KernelResponse> | KernelResponse;

export interface Route {
  /** Not for pages of other origins: no answer carries CORS headers. */
  isOwn?: boolean;
  method: string;
  /** `/api/collections/:collection/records/:id` */
  path: string;
  handle: Handler;
  /** Absent on calls that no client is meant to make: those of the agents. */
  about?: RouteDescription;
}
