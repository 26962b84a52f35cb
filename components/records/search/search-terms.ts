import { isTag, spellTag } from '@/lib/vocabulary/tags';
import { allOf, anyOf, fieldHas, fieldIs } from './filter-text';

/** How `key:value` of the search box narrows a list. */
export interface SearchTerm {
  /** Several on one record: all that are named must be there. Of others, one of those that are named is enough. */
  isMany?: boolean;
  /** Where values to complete are found, for a key whose values are not all known. */
  suggest?: 'users' | 'hosts' | 'images' | 'tags';
  /** Whether a value can be one at all. */
  takes?: (value: string) => boolean;
  /** The filter of a value, or of what it is not. */
  toFilter: (value: string, isNot: boolean) => string;
}

/** A field that is one of several words, or a switch. */
export function fieldTerm(field: string, read: (value: string) => string | boolean = (value) => value): SearchTerm {
  return { toFilter: (value, isNot) => fieldIs(field, read(value), isNot) };
}

/** A related record by what it is called, in part or as a whole. */
export function namedTerm(
  relation: string,
  fields: readonly string[],
  suggest: NonNullable<SearchTerm['suggest']>,
): SearchTerm {
  return {
    suggest,
    toFilter(value, isNot) {
      const has = fields.map((field) => fieldHas(`${relation}.${field}`, value, isNot));
      // What there is none of is not called so either.
      return isNot ? anyOf([fieldIs(`${relation}.id`, ''), `(${allOf(...has)})`]) : anyOf(has);
    },
  };
}

/** Who made it: `me`, or by username or name. */
export function ownerTerm(viewerId: string): SearchTerm {
  const named = namedTerm('created_by', ['username', 'name'], 'users');
  return {
    ...named,
    toFilter: (value, isNot) =>
      value.toLowerCase() === 'me' ? fieldIs('created_by', viewerId, isNot) : named.toFilter(value, isNot),
  };
}

/** One of its tags, whole: the list is stored as JSON, and no tag has a quote in it. */
export const tagTerm: SearchTerm = {
  isMany: true,
  suggest: 'tags',
  takes: (value) => isTag(spellTag(value)),
  toFilter: (value, isNot) => fieldHas('tags', `"${spellTag(value)}"`, isNot),
};
