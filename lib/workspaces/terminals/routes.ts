import 'server-only';
import { z } from 'zod';
import { streamActor } from '@/lib/auth/actor';
import { hasLiveLink } from '@/lib/hosts/link/links';
import { takeTerminalPlace } from '@/lib/hosts/terminals/opening';
import type { Route } from '@/lib/http/context';
import { defineRoute } from '@/lib/http/route';
import { requireTerminalRight } from './request';

export const terminalRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/workspace/:id/terminal',
    summary: 'Whether a terminal may be opened in a workspace, and whether its host is there to open it',
    answer: z.strictObject({ isHostThere: z.boolean() }),
    async handle({ context }) {
      const actor = await streamActor(context);
      const { host } = requireTerminalRight(actor, context.params.id ?? '');
      // What would be refused to its socket is told here in words: a page can't read those.
      takeTerminalPlace(actor)();
      return { isHostThere: hasLiveLink(host) };
    },
  }),
];
