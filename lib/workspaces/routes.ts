import 'server-only';
import { requireLoggedIn } from '@/lib/auth/require-logged-in';
import { z } from 'zod';
import { requestActor } from '@/lib/auth/actor';
import { requestWorkspace } from './request-workspace';
import { findWorkspaceChanges } from './changes';
import { findWhatWasDeployed } from './what-was-deployed';
import { findProblemsOfNew } from '@/lib/records/new-record';
import { limits } from '@/lib/vocabulary/limits';
import { workspaces } from './collection';
import { REDEPLOY_ORDERS, type RedeployOptions, STOP_FIRST_REASONS } from '@/lib/vocabulary/redeploy';
import { WORKSPACE_ACTIONS } from '@/lib/vocabulary/workspace-status';
import type { RequestContext, Route } from '@/lib/http/context';
import { defineRoute } from '@/lib/http/route';

const requestSchema = z.strictObject({
  action: z.enum(WORKSPACE_ACTIONS),
  order: z
    .enum(REDEPLOY_ORDERS)
    .optional()
    .describe('Of a redeploy; left out, the old container is stopped first only where both need a host port'),
  pull: z.boolean().optional().describe('Whether a redeploy pulls the image anew before'),
  build: z
    .int()
    .min(0)
    .optional()
    .describe(
      'Number of the build of its image that a redeploy has it run from now on; 0 for the newest, and what comes after',
    ),
});

function workspaceId(context: RequestContext): string {
  return context.params.id ?? '';
}

const checkSchema = z.strictObject({
  name: z.string(),
  host: z.string(),
  image: z.string(),
  portMappings: z.array(z.unknown()).max(limits.portMappings),
  runtime: z.string().optional(),
  gpus: z.unknown().optional(),
  cpuLimit: z.unknown().optional(),
  memoryLimit: z.unknown().optional(),
  networks: z
    .array(z.string())
    .max(limits.networksPerWorkspace + 1)
    .optional(),
  volumes: z
    .array(z.string())
    .max(limits.volumesPerWorkspace + 1)
    .optional(),
  volumePaths: z.unknown().optional(),
  template: z.boolean().optional(),
});

const changedSchema = z.array(z.strictObject({ field: z.string(), from: z.unknown(), to: z.unknown() }));

export const workspaceRoutes: Route[] = [
  defineRoute({
    method: 'POST',
    path: '/api/workspaces/check',
    summary: 'What a new workspace would be refused for; nothing is made',
    guard: requireLoggedIn,
    body: checkSchema,
    answer: z.strictObject({
      problems: z.array(z.strictObject({ field: z.string(), code: z.string(), message: z.string() })),
    }),
    example: { name: 'lab', host: 'id of a host', image: 'id of an image', portMappings: [] },
    handle: ({ body, caller }) => ({ problems: findProblemsOfNew(workspaces, caller, body) }),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/workspace/:id/request',
    summary: 'Starts, stops, redeploys, enables, disables or deletes a workspace',
    query: { force: '`1` has a deletion by an admin not wait for the host' },
    body: requestSchema,
    answer: z.strictObject({ id: z.string(), status: z.string(), generation: z.int() }),
    status: 202,
    example: { action: 'start' },
    handle({ context, body: { action, ...asked } }) {
      const force = context.query.get('force') === '1';
      const options: RedeployOptions = { order: asked.order ?? '', pull: asked.pull ?? false, build: asked.build };
      return requestWorkspace(requestActor(context), { workspaceId: workspaceId(context), action, force, options });
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/workspace/:id/changes',
    summary: 'What a redeployment would change, and what speaks for stopping the old container first',
    answer: z.strictObject({
      changed: changedSchema,
      stopFirst: z.array(
        z.strictObject({
          reason: z.enum(STOP_FIRST_REASONS),
          isNecessary: z.boolean(),
          values: z.array(z.string()),
        }),
      ),
      canPull: z.boolean(),
    }),
    handle: ({ context }) => findWorkspaceChanges(requestActor(context), workspaceId(context)),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/workspace/:id/deployments/:deploymentId/spec',
    summary: 'What a deployment asked the host to run, and how that differs from the one before it and from now',
    answer: z.strictObject({
      number: z.int(),
      settings: z.array(z.strictObject({ field: z.string(), value: z.unknown() })).nullable(),
      other: z.record(z.string(), z.unknown()).nullable(),
      before: z.strictObject({ number: z.int(), changed: changedSchema }).nullable(),
      now: z.strictObject({ changed: changedSchema }).nullable(),
    }),
    handle({ context }) {
      const deploymentId = context.params.deploymentId ?? '';
      return findWhatWasDeployed(requestActor(context), { workspaceId: workspaceId(context), deploymentId });
    },
  }),
];
