import 'server-only';
import type { Route } from '@/lib/http/context';
import { defineRoute } from '@/lib/http/route';
import { nvidiaReportSchema, traefikReportSchema } from '@/lib/protocol/proxy-streams';
import { askHost } from '../link/ask-host';
import { requireModify } from '../require-modify';
import { findTraefik } from './find-traefik';

export const proxyRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/host/:id/traefik',
    summary: 'What a host’s Traefik says of itself and its routers, asked now',
    guard: requireModify,
    answer: traefikReportSchema,
    handle: ({ context: { signal }, caller }) =>
      askHost(caller.id, findTraefik(caller), { schema: traefikReportSchema, signal }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/host/:id/nvidia',
    summary: 'What a host has of NVIDIA’s driver, cards and container toolkit, looked at now',
    guard: requireModify,
    answer: nvidiaReportSchema,
    handle: ({ context: { signal }, caller: { id } }) =>
      askHost(id, { kind: 'nvidia' }, { schema: nvidiaReportSchema, signal }),
  }),
];
