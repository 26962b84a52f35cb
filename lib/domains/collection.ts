import { domainsTable } from '@/db/schema/domains';
import { workspacesTable } from '@/db/schema/workspaces';
import type { FieldProblems } from '@/lib/errors';
import { INVALID_DOMAIN, isDomainName } from '@/lib/vocabulary/domain-name';
import { domainsPolicy } from './policy';
import { defineCollection } from '@/lib/records/collection';
import { searched } from '@/lib/records/fields/access';
import { relation } from '@/lib/records/fields/relation';
import { tags } from '@/lib/records/fields/tags';
import { text } from '@/lib/records/fields/text';
import type { Actor } from '@/lib/policies/actor';
import { refuseUsed } from '@/lib/records/refuse-used';
import type { WriteTransaction } from '@/lib/records/transaction';
import { createdByField } from '@/lib/records/references';

export const domains = defineCollection({
  id: 'berthdomains001',
  name: 'domains',
  table: domainsTable,
  fields: {
    url: searched(text({ required: true, max: 253 })),
    host: searched(relation('hosts')),
    created_by: searched(createdByField()),
    tags: searched(tags()),
  },
  check({ row }): FieldProblems {
    if (isDomainName(row.url)) return {};
    return { url: { code: 'validation_invalid_domain', message: INVALID_DOMAIN } };
  },
  unique: [{ fields: ['url'], sentence: 'This domain is there already.' }],
  policy: domainsPolicy,
  hooks: {
    complete({ row }) {
      row.url = row.url.trim().toLowerCase();
    },
    beforeDelete: ({ tx, actor, row }) => refuseWhileServed({ tx, actor }, row.id),
  },
});

/** A domain goes once no workspace has an address under it. */
function refuseWhileServed({ tx, actor }: { tx: WriteTransaction; actor: Actor }, id: string): void {
  const workspaces = { name: 'workspaces', table: workspacesTable };
  const served = tx
    .findParts(workspaces, ['id', 'name', 'externalUrls'], {})
    .filter(({ externalUrls }) => externalUrls?.some(({ domain }) => domain === id));
  refuseUsed({ tx, actor }, workspaces.name, served);
}
