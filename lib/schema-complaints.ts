import type { core } from 'zod';

/** What a schema may have against a value, by the key of its words; `count` is the bound that was passed. */
export interface Complaint {
  key: ComplaintKey;
  count?: number | undefined;
}

export type ComplaintKey =
  | 'required'
  | 'atLeastCharacters'
  | 'atMostCharacters'
  | 'exactlyCharacters'
  | 'pleaseAddAtLeastOne'
  | 'maxNumberOfItemsExceeded'
  | 'mustBePositiveNumber'
  | 'mustBeNonNegative'
  | 'minimumValue'
  | 'maximumValue'
  | 'mustBeNumber'
  | 'mustBeWhole'
  | 'invalidValue';

type Issue = core.$ZodRawIssue;

/** Which of our complaints a schema's is. */
export function complaintOf(issue: Issue): Complaint {
  if (issue.code === 'too_small') return tooSmall(issue);
  if (issue.code === 'too_big') return tooBig(issue);
  if (issue.code === 'invalid_type') {
    if (issue.input === undefined || issue.input === null) return { key: 'required' };
    if (issue.expected === 'int') return { key: 'mustBeWhole' };
    if (issue.expected === 'number') return { key: 'mustBeNumber' };
  }
  return { key: 'invalidValue' };
}

function tooSmall({ origin, minimum, inclusive, exact }: Extract<Issue, { code: 'too_small' }>): Complaint {
  const count = Number(minimum);
  if (origin === 'string') {
    if (exact) return { key: 'exactlyCharacters', count };
    return count === 1 ? { key: 'required' } : { key: 'atLeastCharacters', count };
  }
  if (origin === 'array' || origin === 'set') return { key: 'pleaseAddAtLeastOne' };
  if (count === 0) return { key: inclusive ? 'mustBeNonNegative' : 'mustBePositiveNumber' };
  return { key: 'minimumValue', count };
}

function tooBig({ origin, maximum, exact }: Extract<Issue, { code: 'too_big' }>): Complaint {
  const count = Number(maximum);
  if (origin === 'string') return { key: exact ? 'exactlyCharacters' : 'atMostCharacters', count };
  if (origin === 'array' || origin === 'set') return { key: 'maxNumberOfItemsExceeded' };
  return { key: 'maximumValue', count };
}
