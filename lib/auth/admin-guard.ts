import 'server-only';
import { requestActor } from './actor';
import { AppError } from '@/lib/errors';
import type { Handler, KernelResponse, RequestContext, Route } from '@/lib/http/context';
import type { Actor } from '@/lib/policies/actor';
import { parseFields } from '@/lib/records/pick';

export type AdminActor = Extract<Actor, { kind: 'admin' }>;

/** Throws AppError `unauthenticated` unless the caller holds the administration token. */
export function requireAdmin(context: RequestContext): AdminActor {
  const actor = requestActor(context);
  if (actor.kind === 'admin') return actor;
  throw new AppError('unauthenticated', 'The request requires valid admin authorization token to be set.');
}

type AdminHandler = (context: RequestContext, admin: AdminActor) => Promise<KernelResponse> | KernelResponse;

/** A route that only the administration token opens. */
export function adminRoute(method: string, path: string, handle: AdminHandler): Route {
  const guarded: Handler = (context) => handle(context, requireAdmin(context));
  return { method, path, handle: guarded };
}

/** A JSON answer with the `fields` that were asked for; on a page they apply to its items. */
export function answerJson({ query }: RequestContext, json: object): KernelResponse {
  const pick = parseFields(query.get('fields') ?? '');
  if (!pick) return { status: 200, json };
  if ('items' in json && 'totalItems' in json) return { status: 200, json: { ...json, items: pick(json.items) } };
  return { status: 200, json: pick(json) };
}
