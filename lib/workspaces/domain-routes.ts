import 'server-only';
import { z } from 'zod';
import { requestActor } from '@/lib/auth/actor';
import { domains } from '@/lib/domains/collection';
import type { Route } from '@/lib/http/context';
import { defineRoute } from '@/lib/http/route';
import { requireAct } from '@/lib/records/acts';
import { mayAct } from '@/lib/records/can';
import { StoredFacts } from '@/lib/records/facts';
import { StoreReader } from '@/lib/records/transaction';
import type { Actor } from '@/lib/policies/actor';
import { workspaces } from './collection';

/** Workspaces that an answer names; the others are counted. */
const MOST = 100;

const answerSchema = z.strictObject({
  items: z.array(z.strictObject({ id: z.string(), name: z.string(), addresses: z.array(z.string()) })),
  more: z.int().describe('Workspaces that are not listed: too many, or hidden from the caller'),
});

/** The workspaces with an address under a domain, as far as the actor may see them, by name. */
function listWorkspacesUnder(actor: Actor, domainId: string): z.infer<typeof answerSchema> {
  const domain = requireAct(actor, { collection: domains, id: domainId, act: 'view' });
  const facts = new StoredFacts();
  const users = new StoreReader()
    .findParts(workspaces, ['id', 'name', 'created_by', 'externalUrls'], {})
    .filter(({ externalUrls }) => externalUrls?.some((url) => url.domain === domain.id));
  const items = users
    .filter((row) => mayAct(workspaces, { actor, act: 'view', row, facts }))
    .toSorted((a, b) => a.name.localeCompare(b.name))
    .slice(0, MOST)
    .map(({ id, name, externalUrls }) => ({
      id,
      name,
      addresses: (externalUrls ?? [])
        .filter((url) => url.domain === domain.id)
        .map(({ scheme, subdomain }) => `${scheme}://${subdomain === '' ? '' : `${subdomain}.`}${domain.url}`),
    }));
  return { items, more: users.length - items.length };
}

export const domainRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/domain/:id/workspaces',
    summary: 'Workspaces with an address under a domain',
    answer: answerSchema,
    handle: ({ context }) => listWorkspacesUnder(requestActor(context), context.params.id ?? ''),
  }),
];
