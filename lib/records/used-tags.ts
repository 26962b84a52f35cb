import 'server-only';
import { versionOf } from '@/db/versions';
import { actorUserId, type Actor } from '@/lib/policies/actor';
import { tagLimits } from '@/lib/vocabulary/tags';
import type { Collection } from './collection';
import { keptAnswer } from './kept-answers';
import { bind, queryFor } from './query';
import { readAside } from './reader-threads';

/** Found out among the rows that the list itself would answer with; of kinds without templates, all. */
function sourceOf({ fields }: Collection, template: boolean | undefined) {
  const side = template !== undefined && fields.has('template') ? ` && template = ${template}` : '';
  return { filter: `tags != '[]'${side}`, sort: '', rule: 'list' } as const;
}

export interface TagQuestion {
  /** What the tag has in it, spelled as one. */
  search: string;
  /** Only of templates, or only of what is none; of both where it is not said. */
  template?: boolean;
}

export interface UsedTag {
  tag: string;
  /** Of the records that the asker may list. */
  count: number;
}

/**
 * The tags with this in them of the records that the actor may list, the most used first, at most `tagLimits.told`. Read by a
 * thread, and kept until one of the collections changes. Throws AppError as lists do.
 */
export async function findUsedTags(
  collections: readonly Collection[],
  actor: Actor,
  { search, template }: TagQuestion,
): Promise<UsedTag[]> {
  const names = collections.map(({ name }) => name).join(',');
  const who = actor.kind === 'user' && actor.isAdmin ? 'user+' : actor.kind;
  const text = await keptAnswer(`tags ${names} ${who} ${actorUserId(actor)} ${template ?? ''} ${search}`, async () => {
    const queries = collections.map((collection) => queryFor(collection, actor, sourceOf(collection, template)));
    const each = queries.map(
      ({ from, where }) => `SELECT e.value AS tag ${from.sql} JOIN json_each(t."tags") e WHERE ${where!.sql}`,
    );
    const found = `SELECT tag, COUNT(*) FROM (${each.join(' UNION ALL ')}) WHERE INSTR(tag, ?) > 0`;
    const sql = `${found} GROUP BY tag ORDER BY COUNT(*) DESC, tag LIMIT ${tagLimits.told}`;
    const params = queries.flatMap(({ from, where }) => [...bind(from, actor), ...bind(where!, actor)]);
    const reads = [...new Set(queries.flatMap((query) => query.reads))];
    const version = versionOf(reads);
    const { rows } = await readAside([{ sql, params: [...params, search] }], actorUserId(actor));
    const items = rows[0]!.map(([tag, count]) => ({ tag: String(tag), count: Number(count) }));
    return { text: JSON.stringify(items), reads, version };
  });
  return JSON.parse(text) as UsedTag[];
}
