import 'server-only';
import { z } from 'zod';
import { originOf } from '@/lib/auth/call-origin';
import type { Route } from '@/lib/http/context';
import { callLimits, heartbeatRequestSchema, joinRequestSchema, reportRequestSchema } from '@/lib/protocol/calls';
import { agentRoute, answerAgent, parseBody } from './agent-route';
import { readDesired } from './desired';
import { takeHeartbeat } from './heartbeat';
import { joinHost } from './join';
import { spokenBy } from './refusals';
import { takeReport } from './report';

const sinceSchema = z.coerce.number().int().min(0);

/** The calls of every agent. Each but `join` carries a proof signed with the host's key. */
export const agentRoutes: Route[] = [
  {
    method: 'POST',
    path: '/api/agent/join',
    handle: (context) =>
      answerAgent(context, async () => {
        const body = parseBody(spokenBy(joinRequestSchema), await context.body(callLimits.join));
        return { status: 200, json: await joinHost(body, originOf(context, 'joinToken')) };
      }),
  },
  agentRoute({
    method: 'POST',
    path: '/api/agent/heartbeat',
    limitBytes: callLimits.heartbeat,
    schema: spokenBy(heartbeatRequestSchema),
    handle: ({ hostId, body }) => takeHeartbeat(hostId, body),
  }),
  agentRoute({
    method: 'GET',
    path: '/api/agent/desired',
    limitBytes: 0,
    schema: z.undefined(),
    handle: async ({ hostId, context }) =>
      readDesired(hostId, sinceSchema.catch(0).parse(context.query.get('since') ?? 0)),
  }),
  agentRoute({
    method: 'POST',
    path: '/api/agent/report',
    limitBytes: callLimits.report,
    schema: reportRequestSchema,
    handle: ({ hostId, body }) => takeReport(hostId, body),
  }),
];
