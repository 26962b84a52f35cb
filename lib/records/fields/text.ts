import { limits } from '@/lib/vocabulary/limits';
import type { Field, FieldOptions, Problem } from './field';

export interface TextOptions extends FieldOptions {
  min?: number;
  max?: number;
  pattern?: RegExp;
  /** Refuses with this instead of the general pattern message. */
  patternMessage?: string;
}

/** Null, lists and objects become '', numbers and booleans their text; nothing is trimmed. */
export function castText(raw: unknown): string {
  if (typeof raw === 'string') return raw;
  if (typeof raw === 'number' || typeof raw === 'boolean') return String(raw);
  return '';
}

/** Lengths count code points. An empty text passes: `required` decides on it. */
export function checkText(value: string, { min, max, pattern, patternMessage }: TextOptions): Problem | undefined {
  if (value === '') return undefined;
  const length = value.length > (max ?? 0) || min ? [...value].length : value.length;
  if (min !== undefined && length < min) {
    return { code: 'validation_min_text_constraint', message: `Must be at least ${min} character(s).` };
  }
  if (max !== undefined && length > max) {
    return { code: 'validation_max_text_constraint', message: `Must be less than ${max} character(s).` };
  }
  if (pattern && !pattern.test(value)) {
    return { code: 'validation_invalid_format', message: patternMessage ?? 'Invalid value format.' };
  }
  return undefined;
}

export function text(given: TextOptions = {}): Field<string> {
  const options = { max: limits.textLength, ...given };
  return {
    kind: 'text',
    options,
    multiple: false,
    unset: '',
    cast: castText,
    check: (value) => checkText(value as string, options),
  };
}
