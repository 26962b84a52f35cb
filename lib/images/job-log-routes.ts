import 'server-only';
import { agentRoute } from '@/lib/hosts/link/agent-route';
import type { Route } from '@/lib/http/context';
import { callLimits, jobLogRequestSchema } from '@/lib/protocol/calls';
import { takeJobLog } from './job-log';

/** The call by which an agent hands in the log of a job. */
export const jobLogRoutes: Route[] = [
  agentRoute({
    method: 'POST',
    path: '/api/agent/jobs/:id/log',
    limitBytes: callLimits.jobLog,
    schema: jobLogRequestSchema,
    handle: ({ hostId, body, context }) => takeJobLog(hostId, context.params.id ?? '', body),
  }),
];
