import { limits } from '@/lib/vocabulary/limits';
import type { Field, FieldOptions } from './field';
import { castText, checkText } from './text';

export function url(options: FieldOptions = {}): Field<string> {
  return {
    kind: 'url',
    options,
    multiple: false,
    unset: '',
    cast: castText,
    check: (value) =>
      checkText(value as string, { max: limits.urlLength }) ??
      (value === '' || isWebUrl(value as string)
        ? undefined
        : { code: 'validation_invalid_url', message: 'Must be a valid url.' }),
  };
}

function isWebUrl(value: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(value) && !/\s/.test(value) && URL.canParse(value);
}
