import type { Field, FieldOptions, Problem } from './field';

export interface NumberOptions extends FieldOptions {
  min?: number;
  max?: number;
  noDecimal?: boolean;
}

/** Unreadable text becomes 0. */
export function castNumber(raw: unknown): number {
  if (typeof raw === 'number') return raw;
  if (typeof raw === 'boolean') return raw ? 1 : 0;
  if (typeof raw !== 'string' || raw.trim() === '') return 0;
  const value = Number(raw);
  return Number.isNaN(value) ? 0 : value;
}

function checkNumber(value: number, { min, max, noDecimal }: NumberOptions): Problem | undefined {
  if (!Number.isFinite(value)) {
    return { code: 'validation_nan', message: 'The submitted number is not properly formatted.' };
  }
  if (value === 0) return undefined;
  if (noDecimal && !Number.isInteger(value)) {
    return { code: 'validation_no_decimal_constraint', message: 'Decimal numbers are not allowed.' };
  }
  if (min !== undefined && value < min) {
    return { code: 'validation_min_number_constraint', message: `Must be larger than ${min.toFixed(6)}` };
  }
  if (max !== undefined && value > max) {
    return { code: 'validation_max_number_constraint', message: `Must be less than ${max.toFixed(6)}` };
  }
  return undefined;
}

/** Bounds are not checked for 0, which is the unset number. */
export function number(options: NumberOptions = {}): Field<number> {
  return {
    kind: 'number',
    options,
    multiple: false,
    unset: 0,
    cast: castNumber,
    check: (value) => checkNumber(value as number, options),
  };
}
