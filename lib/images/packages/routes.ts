import 'server-only';
import { z } from 'zod';
import { requestActor } from '@/lib/auth/actor';
import { requireFullAccess } from '@/lib/auth/admin-guard';
import { limitCalls } from '@/lib/auth/limited';
import type { RequestContext, Route } from '@/lib/http/context';
import { defineRoute } from '@/lib/http/route';
import { actorUserId, type Actor } from '@/lib/policies/actor';
import { recordAuditAlone } from '@/lib/records/audit';
import { cacheSetting } from '@/lib/settings/cache-setting';
import { channelName, isPackageName } from '@/lib/vocabulary/image-schemas';
import { limits, rateLimits, type RateLimit } from '@/lib/vocabulary/limits';
import { PACKAGE_MANAGERS } from '@/lib/vocabulary/package-versions';
import { requireImageMaker } from './may-search';
import { packageCache } from './package-cache';
import { LOOKUP_STATES, listPackageVersions, searchPackages, type Spending } from './search-packages';

const placeShape = {
  manager: z.enum(PACKAGE_MANAGERS),
  channels: z.array(channelName).max(limits.channelsSearched),
};
const searchSchema = z.object({ ...placeShape, query: z.string().trim().min(1).max(limits.packageQueryLength) });
const versionsSchema = z
  .object({ ...placeShape, name: z.string().trim().min(1).max(limits.packageQueryLength) })
  .superRefine(({ manager, name }, context) => {
    if (!isPackageName(manager, name))
      context.addIssue({ code: 'custom', path: ['name'], message: 'Invalid package name.' });
  });

const lookupShape = {
  state: z
    .enum(LOOKUP_STATES)
    .describe('`loading`: a list is being fetched, ask again; `unreachable`: an index can not be asked, see `message`'),
  message: z.string().describe('What is wrong, in words; empty where nothing is'),
};
const packageShape = { name: z.string(), description: z.string(), latestVersion: z.string() };
const searchAnswerSchema = z.strictObject({
  items: z.array(z.strictObject({ ...packageShape, channel: z.string() })).describe('What fits best is first'),
  ...lookupShape,
});
const versionsAnswerSchema = z.strictObject({
  ...packageShape,
  versions: z.array(z.string()).describe('The newest first'),
  ...lookupShape,
});
const cacheAnswerSchema = z.strictObject({ sizeBytes: z.int(), maxBytes: z.int(), directory: z.string() });

const PLACE_QUERY = {
  manager: '`pypi` or `conda`',
  channel: 'Conda channels, one parameter each, the first asked first; conda-forge without any',
};

function readQuery<T>(context: RequestContext, schema: z.ZodType<T>): T {
  const { query } = context;
  return schema.parse({ ...Object.fromEntries(query), channels: query.getAll('channel').filter(Boolean) });
}

function imageMaker(context: RequestContext): Actor {
  const actor = requestActor(context);
  requireImageMaker(actor);
  return actor;
}

/** What may be fetched because of one account in a time. */
function spendingOf(actor: Actor): Spending {
  const spend = (limit: RateLimit) => () => limitCalls([{ limit, who: actorUserId(actor) }]);
  return { list: spend(rateLimits.packageListsByAccount), question: spend(rateLimits.packageQuestionsByAccount) };
}

async function describeCache() {
  const { directory, maxBytes } = cacheSetting();
  return { sizeBytes: await packageCache().sizeBytes(), maxBytes, directory };
}

export const packageRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/packages/search',
    summary: 'Packages of an index by name, for people who may create or change images',
    query: { ...PLACE_QUERY, query: 'What the name is, begins with or has in it' },
    guard: imageMaker,
    answer: searchAnswerSchema,
    handle({ context, caller }) {
      const { query, ...place } = readQuery(context, searchSchema);
      return searchPackages(place, query, spendingOf(caller));
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/packages/versions',
    summary: 'The versions of a package, for people who may create or change images',
    query: { ...PLACE_QUERY, name: 'Of the package' },
    guard: imageMaker,
    answer: versionsAnswerSchema,
    handle({ context, caller }) {
      const { name, ...place } = readQuery(context, versionsSchema);
      return listPackageVersions(place, name, spendingOf(caller));
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/packages/cache',
    summary: 'How much is kept of package indexes, for admins',
    guard: requireFullAccess,
    answer: cacheAnswerSchema,
    handle: describeCache,
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/packages/cache',
    summary: 'Forgets what is kept of package indexes, for admins',
    guard: requireFullAccess,
    answer: cacheAnswerSchema,
    async handle({ caller: actor }) {
      const { sizeBytes } = await describeCache();
      await packageCache().empty();
      await recordAuditAlone({ action: 'packages.emptyCache', actor, details: { sizeBytes } });
      return describeCache();
    },
  }),
];
