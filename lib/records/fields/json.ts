import type { output, ZodType } from 'zod';
import { problemsOf } from '@/lib/errors';
import { limits } from '@/lib/vocabulary/limits';
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

/** What is wrong with the size of a value; a schema would look at each of very many. */
function checkSize(value: unknown, maxBytes: number): Problem | undefined {
  if (holdsMore(value, limits.jsonFieldValues)) {
    const message = `The value may hold no more than ${limits.jsonFieldValues} values.`;
    return { code: 'validation_json_size_limit', message };
  }
  if (JSON.stringify(value).length <= maxBytes) return undefined;
  return { code: 'validation_json_size_limit', message: `The maximum allowed JSON size is ${maxBytes} bytes.` };
}

/** Whether a value has more parts than that, itself among them. */
export function holdsMore(value: unknown, max: number): boolean {
  const waiting = [value];
  for (let count = 0; waiting.length > 0; count += 1) {
    if (count + waiting.length > max) return true;
    const next = waiting.pop();
    // One at a time: a call takes only so many arguments.
    if (typeof next === 'object' && next !== null) for (const inner of Object.values(next)) waiting.push(inner);
  }
  return false;
}

/** A JSON value with a schema. The schema's output is what is stored, so its defaults apply. */
export function json<S extends ZodType = ZodType, U = null>(
  options: JsonOptions<S, U> = {},
): Field<U extends null ? output<S> | null : output<S>> {
  const unset = options.unset ?? null;
  const maxBytes = options.maxBytes ?? limits.jsonFieldBytes;
  return {
    kind: 'json',
    options,
    multiple: false,
    unset,
    cast(raw) {
      const value = castJson(raw);
      if (value === null || value === '') return unset;
      const parsed = checkSize(value, maxBytes) ? undefined : options.schema?.safeParse(value);
      return parsed?.success ? parsed.data : value;
    },
    check(value): Problem | undefined {
      const tooLarge = checkSize(value, maxBytes);
      if (tooLarge) return tooLarge;
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
