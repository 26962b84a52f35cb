import 'server-only';
import { z } from 'zod';
import { requestActor } from '@/lib/auth/actor';
import type { RequestContext, Route } from '@/lib/http/context';
import { defineRoute, recordOf } from '@/lib/http/route';
import { adoptUnknownWorkspace, listUnknownWorkspaces, removeUnknownWorkspace } from './unknown-workspaces';

const unknownSchema = z.strictObject({
  kind: z.string(),
  id: z.string(),
  name: z.string().describe('Of the container'),
  imageId: z.string().describe('The engine’s id of its image'),
  isRunning: z.boolean(),
  since: z.string().describe('When the host told of it first'),
});

const adoptSchema = z.looseObject({ name: z.string(), image: z.string() });

function aboutOf({ params }: RequestContext) {
  return { hostId: params.id ?? '', id: params.workspace ?? '' };
}

/** What hosts hold as workspaces that this console does not know. */
export const unknownWorkspaceRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/host/:id/unknown',
    summary: 'Containers on a host that are labelled as workspaces of this console and not known here',
    answer: z.strictObject({ items: z.array(unknownSchema) }),
    handle: ({ context }) => ({ items: listUnknownWorkspaces(requestActor(context), context.params.id ?? '') }),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/host/:id/unknown/:workspace/adopt',
    summary: 'Makes a workspace of a container that is not known here; it runs on until the workspace is started',
    body: adoptSchema,
    answer: recordOf('workspaces'),
    example: { name: 'found-again', image: 'IMAGE_ID' },
    handle: ({ context, body }) =>
      adoptUnknownWorkspace(requestActor(context), aboutOf(context), body) as Promise<Record<string, unknown>>,
  }),
  defineRoute({
    method: 'POST',
    path: '/api/host/:id/unknown/:workspace/remove',
    summary: 'Has the host remove a container that is not known here',
    handle: ({ context }) => removeUnknownWorkspace(requestActor(context), aboutOf(context)),
  }),
];
