import type { Field, FieldOptions } from './field';

const TRUE = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);

export function castBool(raw: unknown): boolean {
  if (typeof raw === 'boolean') return raw;
  if (typeof raw === 'number') return raw !== 0;
  return typeof raw === 'string' && TRUE.has(raw);
}

export function bool(options: FieldOptions = {}): Field<boolean> {
  return { kind: 'bool', options, multiple: false, unset: false, cast: castBool, check: () => undefined };
}
