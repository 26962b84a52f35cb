import { isTag, spellTag, tagLimits } from '@/lib/vocabulary/tags';

export type TagProblem = 'invalidTag' | 'tooManyTags';

export interface TakenTags {
  /** All that there are then, those that were added last. */
  tags: string[];
  added: string[];
  /** What is no tag, or none of those to choose from. */
  left: string[];
  problem: TagProblem | undefined;
}

/** Puts what was typed among the tags of a record, as far as it can be one of them and there is room. */
export function takeTags(tags: readonly string[], typed: readonly string[], only?: readonly string[]): TakenTags {
  const spelled = [...new Set(typed.map(spellTag))].filter((word) => word !== '');
  const isTaken = (word: string) => isTag(word) && (!only || only.includes(word));
  const fresh = spelled.filter((word) => isTaken(word) && !tags.includes(word));
  const left = spelled.filter((word) => !isTaken(word));
  const next = [...tags, ...fresh].slice(0, Math.max(tags.length, tagLimits.perRecord));
  const isFull = tags.length + fresh.length > next.length;
  const problem = left.length > 0 ? 'invalidTag' : isFull ? 'tooManyTags' : undefined;
  return { tags: next, added: next.slice(tags.length), left, problem };
}
