import 'server-only';
import { requireLoggedIn } from '@/lib/auth/require-logged-in';
import { z } from 'zod';

import { AppError } from '@/lib/errors';
import type { Route } from '@/lib/http/context';
import { defineRoute } from '@/lib/http/route';
import { collectionNamed } from '@/lib/records/registry';
import { findUsedTags } from '@/lib/records/used-tags';
import { spellTag, TAGGED, tagLimits } from '@/lib/vocabulary/tags';

export const tagRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/tags',
    summary: 'The tags of records that the caller may see, the most used first',
    query: {
      collection: `Only of one kind: ${TAGGED.join(', ')}; of all where left out`,
      template:
        'true: only of templates; false: only of what is none; of both where left out. For kinds that have templates',
      search: 'What the tag has in it',
    },
    guard: requireLoggedIn,
    answer: z.strictObject({
      items: z
        .array(z.strictObject({ tag: z.string(), count: z.int().describe('Records that the caller may see') }))
        .max(tagLimits.told),
    }),
    async handle({ context: { query }, caller }) {
      const kind = query.get('collection') ?? '';
      const kinds = TAGGED.filter((each) => kind === '' || each === kind);
      if (kinds.length === 0) throw new AppError('invalid', 'Records of this kind have no tags.');
      const template = query.get('template') ?? '';
      if (!['', 'true', 'false'].includes(template)) throw new AppError('invalid', 'template is true or false.');
      const search = spellTag((query.get('search') ?? '').slice(0, 2 * tagLimits.length));
      const collections = kinds.flatMap((each) => collectionNamed(each) ?? []);
      return {
        items: await findUsedTags(collections, caller, { search, ...(template && { template: template === 'true' }) }),
      };
    },
  }),
];
