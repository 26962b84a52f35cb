import 'server-only';
import { z } from 'zod';
import { requestActor } from '@/lib/auth/actor';
import type { Route } from '@/lib/http/context';
import { defineRoute } from '@/lib/http/route';
import { lockOfBuild } from './lock-of-build';

const packageSchema = z.strictObject({
  manager: z.enum(['conda', 'pypi']),
  name: z.string(),
  version: z.string(),
  build: z.string().describe('Of a conda package'),
  channel: z.string().describe('Address of the channel that a conda package is from'),
  url: z.string().describe('Where it came from, where that is known'),
  hash: z.string(),
});

const answerSchema = z.strictObject({
  number: z.int().describe('Number of the build'),
  lock: z.strictObject({
    bases: z.array(
      z.strictObject({
        name: z.string(),
        imageId: z.string(),
        digest: z.string().describe('By which a registry gives it; empty where nobody knows'),
      }),
    ),
    environments: z.array(
      z.strictObject({
        name: z.string(),
        python: z.string(),
        packages: z.array(packageSchema),
        problem: z.string().describe('Why nobody knows what it has; empty where it is known'),
      }),
    ),
  }),
});

export const lockRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/builds/:id/lock',
    summary: 'What a build has resolved: its base images and the packages of each environment',
    answer: answerSchema,
    handle: ({ context }) => lockOfBuild(requestActor(context), context.params.id ?? ''),
  }),
];
