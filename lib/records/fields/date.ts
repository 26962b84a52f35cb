import { toWireDate } from '@/lib/clock';
import type { Field, FieldOptions, Problem } from './field';

export interface DateOptions extends FieldOptions {
  /** Wire dates. */
  min?: string;
  max?: string;
}

const READABLE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

/** A common date text in wire form, UTC where it names no zone; '' when unreadable. */
export function castDate(raw: unknown): string {
  if (typeof raw === 'number' && Number.isFinite(raw) && Math.abs(raw) < 8.64e12) return toWireDate(raw * 1000);
  if (typeof raw !== 'string' || !READABLE.test(raw)) return '';
  const iso = raw.replace(' ', 'T');
  const zoned = /T.*(?:Z|[+-]\d{2}:?\d{2})$/.test(iso) || !iso.includes('T') ? iso : `${iso}Z`;
  const ms = Date.parse(zoned);
  return Number.isNaN(ms) ? '' : toWireDate(ms);
}

function checkDate(value: string, { min, max }: DateOptions): Problem | undefined {
  if (value === '') return undefined;
  if (min !== undefined && value < min) {
    return { code: 'validation_min_greater_equal_than_required', message: `Must be no less than ${min}.` };
  }
  if (max !== undefined && value > max) {
    return { code: 'validation_max_less_equal_than_required', message: `Must be no greater than ${max}.` };
  }
  return undefined;
}

export function date(options: DateOptions = {}): Field<string> {
  return {
    kind: 'date',
    options,
    multiple: false,
    unset: '',
    cast: castDate,
    check: (value) => checkDate(value as string, options),
  };
}
