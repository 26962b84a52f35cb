import type { Field, FieldOptions, Problem } from './field';

export interface NumberOptions extends FieldOptions {
  min?: number;
  max?: number;
  noDecimal?: boolean;
}

const READABLE = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const ENDLESS = /^([+-]?)inf(?:inity)?$/i;

/** Unreadable text becomes 0. What names no finite number stays what it is, to be refused. */
export function castNumber(raw: unknown): number {
  if (typeof raw === 'number') return raw;
  if (typeof raw === 'boolean') return raw ? 1 : 0;
  if (typeof raw !== 'string') return 0;
  if (/^nan$/i.test(raw)) return NaN;
  const endless = ENDLESS.exec(raw);
  if (endless) return endless[1] === '-' ? -Infinity : Infinity;
  const value = READABLE.test(raw) ? Number(raw) : 0;
  return Number.isFinite(value) ? value : 0;
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
