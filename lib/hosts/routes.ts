import 'server-only';
import { requireLoggedIn } from '@/lib/auth/require-logged-in';
import { z } from 'zod';
import { createJoinToken } from './create-join-token';
import { doctorReportSchema } from '@/lib/protocol/doctor-streams';
import { HOST_METRIC_SPANS, hostMetricsSchema } from '@/lib/protocol/measure-streams';
import { signInSchema } from '@/lib/protocol/registry-streams';
import { askHost } from './link/ask-host';
import { requireModify, requireView } from './require-modify';
import { accountTestSchema, testAccount } from './test-account';
import { limits } from '@/lib/vocabulary/limits';
import type { Route } from '@/lib/http/context';
import { defineRoute, reply } from '@/lib/http/route';

export const joinTokenSchema = z.strictObject({
  name: z.string().trim().max(limits.nameLength).optional(),
  reusable: z.boolean().optional(),
  replaceKey: z.boolean().optional(),
});

const metricsQuerySchema = z.object({ span: z.enum(HOST_METRIC_SPANS).default('recent') });

export const hostRoutes: Route[] = [
  defineRoute({
    method: 'POST',
    path: '/api/hosts/join-token',
    summary: 'A token for a new host’s agent',
    guard: requireLoggedIn,
    body: joinTokenSchema,
    answer: z.strictObject({
      token: z.string().describe('Shown this once'),
      expiresAt: z.string(),
      expiresInSeconds: z.int(),
    }),
    example: { name: 'harbour' },
    handle: async ({ body, caller }) =>
      reply(await createJoinToken(caller, body), { headers: { 'cache-control': 'no-store' } }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/host/:id/doctor',
    summary: 'What a host’s agent finds of itself, its engine and its way to the console, looked at now',
    guard: requireModify,
    answer: doctorReportSchema,
    handle: ({ context: { signal }, caller: { id } }) =>
      askHost(id, { kind: 'doctor' }, { schema: doctorReportSchema, signal }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/host/:id/metrics',
    summary: 'What a host uses of processor, memory, disk, network and cards: ten minutes, a day, or thirty days',
    query: { span: '`recent` every ten seconds, `day` by five minutes, or `month` by two hours' },
    guard: requireView,
    answer: hostMetricsSchema,
    handle({ context: { query, signal }, caller: { id } }) {
      const { span } = metricsQuerySchema.parse(Object.fromEntries(query));
      return askHost(id, { kind: 'hostMetrics', span }, { schema: hostMetricsSchema, signal });
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/host/:id/test-registry',
    summary: 'Has a host sign in at a registry with an account, and keeps nothing of it',
    guard: requireModify,
    body: accountTestSchema,
    answer: signInSchema,
    example: { serveraddress: 'registry.example.org', username: 'ci', password: 'a password' },
    handle: ({ context: { signal }, body, caller }) => testAccount(caller, body, signal),
  }),
];
