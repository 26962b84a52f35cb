import 'server-only';
import { requestActor } from '@/lib/auth/actor';
import { limitCalls } from '@/lib/auth/limited';
import { wireNow } from '@/lib/clock';
import { domains } from '@/lib/domains/collection';
import { AppError, NOT_FOUND_MESSAGE } from '@/lib/errors';
import type { RequestContext, Route } from '@/lib/http/context';
import { defineRoute } from '@/lib/http/route';
import { type Actor, hasFullAccess } from '@/lib/policies/actor';
import { requireAct } from '@/lib/records/acts';
import { singleton } from '@/lib/singleton';
import { worstOf } from '@/lib/verdict';
import { verdictsSchema } from '@/lib/verdicts-schema';
import { rateLimits } from '@/lib/vocabulary/limits';
import { workspaces } from '../collection';
import { ADDRESS_CHECKS, type AddressCheck, type Asking, examineAddress, examineDomain } from './examine';
import { subjectOfDomain, subjectOfWorkspace } from './subjects';

const answerSchema = verdictsSchema(ADDRESS_CHECKS);

type Person = Extract<Actor, { id: string }>;

function requirePerson(context: RequestContext): Person {
  const actor = requestActor(context);
  if (!('id' in actor)) throw new AppError('unauthenticated', 'The request requires a logged-in user.');
  return actor;
}

const running = singleton('address-doctor', () => new Map<string, Promise<AddressCheck[]>>());

/** Looks once for a person who asks twice, and so often only. Throws `rate_limited`. */
async function examine(person: Person, subject: string, look: (asking: Asking) => Promise<AddressCheck[]>) {
  const key = `${person.id} ${subject}`;
  let looking = running.get(key);
  if (!looking) {
    limitCalls([{ limit: rateLimits.addressChecksByAccount, who: person.id }]);
    // Whoever leaves the page leaves it to those who asked with them.
    const asking = { isAdmin: hasFullAccess(person), signal: new AbortController().signal };
    looking = look(asking).finally(() => running.delete(key));
    running.set(key, looking);
  }
  const checks = await looking;
  return { checked: wireNow(), state: worstOf(checks), checks };
}

export const doctorRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/domain/:id/doctor',
    summary: 'Whether addresses under a domain open, looked at now, with a cure for what is wrong',
    guard: requirePerson,
    answer: answerSchema,
    handle({ context, caller }) {
      const domain = requireAct(caller, { collection: domains, id: context.params.id ?? '', act: 'diagnose' });
      const look = (asking: Asking) => examineDomain(domain.url, subjectOfDomain(domain, caller), asking);
      return examine(caller, domain.id, look);
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/workspace/:id/doctor/:name',
    summary: 'Whether the address of a workspace at a name opens, looked at now, with a cure for what is wrong',
    guard: requirePerson,
    answer: answerSchema,
    handle({ context: { params }, caller }) {
      const workspace = requireAct(caller, { collection: workspaces, id: params.id ?? '', act: 'modify' });
      const subject = subjectOfWorkspace(workspace, params.name ?? '');
      if (subject.addresses.length === 0) throw new AppError('not_found', NOT_FOUND_MESSAGE);
      const look = (asking: Asking) => examineAddress(workspace, subject, asking);
      return examine(caller, `${workspace.id} ${params.name}`, look);
    },
  }),
];
