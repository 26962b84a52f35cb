import 'server-only';
import { z } from 'zod';
import { streamActor } from '@/lib/auth/actor';
import type { Route } from '@/lib/http/context';
import { defineRoute } from '@/lib/http/route';
import { hasLiveLink } from '../link/links';
import { takeTerminalPlace } from './opening';
import { requireHostTerminal } from './request';

export const hostTerminalRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/host/:id/terminal',
    summary: 'Whether a terminal may be opened on a host itself, and whether its agent is there to open it',
    answer: z.strictObject({ isHostThere: z.boolean() }),
    async handle({ context }) {
      const actor = await streamActor(context);
      const { id } = requireHostTerminal(actor, context.params.id ?? '');
      // What would be refused to its socket is told here in words: a page can't read those.
      takeTerminalPlace(actor)();
      return { isHostThere: hasLiveLink(id) };
    },
  }),
];
