import 'server-only';
import { requireLoggedIn } from '@/lib/auth/require-logged-in';
import { z } from 'zod';
import { requireModify } from '@/lib/hosts/require-modify';
import type { Route } from '@/lib/http/context';
import { defineRoute } from '@/lib/http/route';
import { limits } from '@/lib/vocabulary/limits';
import { beginMaintenance, endMaintenance, readMaintenance } from './change-maintenance';

const stateSchema = z.strictObject({
  maintenance: z.strictObject({ reason: z.string(), since: z.string() }).nullable(),
  running: z.int().describe('Workspaces that run on the host, or are asked to'),
  stopped: z.int().describe('Those that the maintenance stopped, or is about to, and nobody touched since'),
});

export const maintenanceRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/host/:id/maintenance',
    summary: 'Whether a host is in maintenance, and how many workspaces that concerns',
    guard: requireModify,
    answer: stateSchema,
    handle: ({ caller: host }) => readMaintenance(host),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/host/:id/maintenance',
    summary: 'Has nothing new begun on a host, and what runs there stopped where that is asked',
    guard: requireLoggedIn,
    body: z.strictObject({
      reason: z.string().trim().min(1, 'Cannot be blank.').max(limits.maintenanceReasonLength),
      stopWorkspaces: z.boolean().default(false),
    }),
    answer: stateSchema,
    example: { reason: 'A new kernel', stopWorkspaces: true },
    handle: ({ context, caller, body }) => beginMaintenance(caller, { hostId: context.params.id ?? '', ...body }),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/host/:id/end-maintenance',
    summary: 'Has a host take what is asked of it again, and what was stopped for that started where that is asked',
    guard: requireLoggedIn,
    body: z.strictObject({ startWorkspaces: z.boolean().default(false) }),
    answer: stateSchema,
    example: { startWorkspaces: true },
    handle: ({ context, caller, body }) => endMaintenance(caller, { hostId: context.params.id ?? '', ...body }),
  }),
];
