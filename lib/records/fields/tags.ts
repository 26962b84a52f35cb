import { INVALID_TAG, isTag, spellTag, tagLimits } from '@/lib/vocabulary/tags';
import type { Field } from './field';
import { castList, checkCount } from './values';

/** Words that people put on a record: a list as of a `select`, but nobody says beforehand which words there are. */
export function tags(): Field<string[]> {
  const max = tagLimits.perRecord;
  return {
    kind: 'select',
    options: { max, itemLength: tagLimits.length } as Field['options'],
    multiple: true,
    unset: [],
    spell: spellTag,
    // Of more than it takes, enough are left to be refused.
    cast: (raw) => castList(castList(raw).map(spellTag)).slice(0, max + 1),
    check(value) {
      const wrong = (value as string[]).find((tag) => !isTag(tag));
      if (wrong !== undefined) return { code: 'validation_invalid_tag', message: INVALID_TAG };
      return checkCount((value as string[]).length, { max });
    },
  };
}
