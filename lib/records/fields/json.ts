import type { output, ZodType } from 'zod';
import { problemsOf } from '@/lib/errors';
import type { Field, FieldOptions, Problem } from './field';

export interface JsonOptions<S extends ZodType = ZodType, U = unknown> extends FieldOptions {
  /** Checks the value; unknown keys are refused where the schema is strict. Null passes: `required` decides on it. */
  schema?: S;
  maxBytes?: number;
  unset?: U;
  toStored?(value: unknown, stored: unknown): unknown;
  toWire?(stored: unknown): unknown;
}

const READS_AS_JSON = /^(?:true|false|null|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\[[\s\S]*\]|\{[\s\S]*\}|"[\s\S]*")$/;

/** A text that reads as JSON is parsed, other text stays a JSON string. */
export function castJson(raw: unknown): unknown {
  if (raw === undefined) return null;
  if (typeof raw !== 'string') return raw;
  const trimmed = raw.trim();
  if (!READS_AS_JSON.test(trimmed)) return raw;
  try {
    return JSON.parse(trimmed) as unknown;
  } catch {
    return raw;
  }
}

/** A JSON value with a schema. The schema's output is what is stored, so its defaults apply. */
export function json<S extends ZodType = ZodType, U = null>(
  options: JsonOptions<S, U> = {},
): Field<U extends null ? output<S> | null : output<S>> {
  const unset = options.unset ?? null;
  const maxBytes = options.maxBytes ?? 2 * 1024 * 1024;
  return {
    kind: 'json',
    options,
    multiple: false,
    unset,
    cast(raw) {
      const value = castJson(raw);
      if (value === null || value === '') return unset;
      const parsed = options.schema?.safeParse(value);
      return parsed?.success ? parsed.data : value;
    },
    check(value): Problem | undefined {
      if (JSON.stringify(value).length > maxBytes) {
        return { code: 'validation_json_size_limit', message: `The maximum allowed JSON size is ${maxBytes} bytes.` };
      }
      if (value === null || value === unset || !options.schema) return undefined;
      const parsed = options.schema.safeParse(value);
      if (parsed.success) return undefined;
      const { whole, fields } = problemsOf(parsed.error);
      return whole ?? fields;
    },
    toStored: options.toStored,
    toWire: (stored) => (stored === null ? unset : options.toWire ? options.toWire(stored) : stored),
  };
}

/** A JSON value that only the console writes, so that nothing has to be checked. */
export function writtenJson<T>(options: Pick<JsonOptions, 'unset'> = {}): Field<T> {
  return json({ ...options, serverWritten: true }) as Field<T>;
}
