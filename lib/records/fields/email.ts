import type { FieldProblem } from '@/lib/errors';
import { BLANK, type Field, type FieldOptions } from './field';
import { castText } from './text';

const ADDRESS =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)+$/;

/** Whether the text is an e-mail address as people have them: no quoted parts, a domain with a dot. */
export function isEmail(value: string): boolean {
  return value.length <= 255 && ADDRESS.test(value) && !value.includes('..') && !/^\.|\.@/.test(value);
}

export function email(options: FieldOptions = {}): Field<string> {
  return {
    kind: 'email',
    options,
    multiple: false,
    unset: '',
    cast: castText,
    check: (value) =>
      value === '' || isEmail(value as string)
        ? undefined
        : { code: 'validation_invalid_email', message: 'Must be a valid email.' },
  };
}

/** What is wrong with an address that must be given. */
export function checkAddress(email: string): FieldProblem | undefined {
  if (email === '') return BLANK;
  if (Buffer.byteLength(email) > 255) {
    return { code: 'validation_length_out_of_range', message: 'The length must be between 1 and 255.' };
  }
  return isEmail(email) ? undefined : { code: 'validation_is_email', message: 'Must be a valid email address.' };
}
