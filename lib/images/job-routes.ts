import 'server-only';
import { nowMs } from '@/lib/clock';
import { agentDownload, agentRoute } from '@/lib/hosts/link/agent-route';
import type { Route } from '@/lib/http/context';
import { callLimits, jobLockRequestSchema, jobLogRequestSchema } from '@/lib/protocol/calls';
import { openJobFile } from './job-file';
import { takeJobLog } from './job-log';
import { takeJobLock } from './locks/take-lock';

/** The calls by which an agent hands in the log of a job and what it has resolved, and gets the files that it builds with. */
export const jobRoutes: Route[] = [
  agentRoute({
    method: 'POST',
    path: '/api/agent/jobs/:id/log',
    limitBytes: callLimits.jobLog,
    schema: jobLogRequestSchema,
    handle: ({ hostId, body, context }) => takeJobLog(hostId, context.params.id ?? '', body),
  }),
  agentRoute({
    method: 'POST',
    path: '/api/agent/jobs/:id/lock',
    limitBytes: callLimits.jobLock,
    schema: jobLockRequestSchema,
    handle: async ({ hostId, body, context }) => {
      await takeJobLock(hostId, context.params.id ?? '', body);
      return { now: nowMs() };
    },
  }),
  agentDownload({
    path: '/api/agent/jobs/:id/files/:file',
    handle: ({ hostId, context }) => openJobFile(hostId, context.params.id ?? '', context.params.file ?? ''),
  }),
];
