import { INVALID_TAG, isTag, spellTag, tagLimits } from '@/lib/vocabulary/tags';
import type { Field } from './field';
import { castList, checkCount } from './values';

/** Of more than a record takes enough are left to be refused. */
function firstSpelled(texts: readonly string[], most: number): string[] {
  const spelled = new Set<string>();
  for (const text of texts) {
    if (spelled.size >= most) break;
    spelled.add(spellTag(text));
  }
  return [...spelled];
}

/** Words that people put on a record: a list as of a `select`, but nobody says beforehand which words there are. */
export function tags(): Field<string[]> {
  const max = tagLimits.perRecord;
  return {
    kind: 'select',
    options: { max, itemLength: tagLimits.length } as Field['options'],
    multiple: true,
    unset: [],
    spell: spellTag,
    cast: (raw) => castList(firstSpelled(castList(raw), max + 1)),
    check(value) {
      const wrong = (value as string[]).find((tag) => !isTag(tag));
      if (wrong !== undefined) return { code: 'validation_invalid_tag', message: INVALID_TAG };
      return checkCount((value as string[]).length, { max });
    },
  };
}
