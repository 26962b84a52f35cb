import { z } from 'zod';
import { complaintOf, type ComplaintKey } from './schema-complaints';

/** The API's sentences for what a schema complains of; `{count}` is the bound. */
const WORDS: Record<Exclude<ComplaintKey, 'invalidValue'>, string> = {
  required: 'Cannot be blank.',
  atLeastCharacters: 'Must be at least {count} characters.',
  atMostCharacters: 'Must be at most {count} characters.',
  exactlyCharacters: 'Must be exactly {count} characters.',
  pleaseAddAtLeastOne: 'Please add at least one.',
  maxNumberOfItemsExceeded: 'Maximum number of items exceeded!',
  mustBePositiveNumber: 'Must be a positive number.',
  mustBeNonNegative: 'Must not be negative.',
  minimumValue: 'Must be at least {count}.',
  maximumValue: 'Must be at most {count}.',
  mustBeNumber: 'Must be a number.',
  mustBeWhole: 'Must be a whole number.',
};

const TYPES: Readonly<Record<string, string>> = {
  string: 'Must be a text.',
  boolean: 'Must be true or false.',
  array: 'Must be a list.',
  object: 'Must be an object.',
  record: 'Must be an object.',
};

// Has every schema of the process that names no words of its own complain in ours.
z.config({
  customError(issue) {
    const { key, count } = complaintOf(issue);
    if (key !== 'invalidValue') return WORDS[key].replace('{count}', String(count));
    if (issue.code === 'invalid_type') return TYPES[issue.expected] ?? 'Invalid value.';
    if (issue.code === 'invalid_value') return `Must be one of: ${issue.values.map(String).join(', ')}.`;
    if (issue.code === 'invalid_format')
      return issue.format === 'url' ? 'Must be a valid url.' : 'Invalid value format.';
    return 'Invalid value.';
  },
});
