import 'server-only';
import { requestActor } from '@/lib/auth/actor';
import { requireModify } from '@/lib/hosts/require-modify';
import type { Route } from '@/lib/http/context';
import { defineRoute } from '@/lib/http/route';
import { pruneStateSchema } from '@/lib/protocol/disk-streams';
import { hostDiskSchema, pruneHost, pruneSchema, readHostDisk } from './host-disk';

export const diskRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/host/:id/disk',
    summary: 'What lies on the disk of a host’s engine, and what of it nobody needs',
    guard: requireModify,
    answer: hostDiskSchema,
    handle: ({ context: { signal }, caller: host }) => readHostDisk(host, signal),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/host/:id/prune',
    summary: 'Has a host remove images that nobody needs, or what builds left behind',
    guard: requireModify,
    body: pruneSchema,
    answer: pruneStateSchema,
    status: 202,
    example: { name: 'local', buildCache: true },
    handle: ({ context, body, caller: host }) =>
      pruneHost({ host, actor: requestActor(context) }, body, context.signal),
  }),
];
