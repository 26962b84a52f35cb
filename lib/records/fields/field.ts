import type { FieldProblem, FieldProblems } from '@/lib/errors';

export type FieldKind = 'text' | 'email' | 'url' | 'number' | 'bool' | 'date' | 'select' | 'relation' | 'file' | 'json';
export type Problem = FieldProblem | FieldProblems;

export interface FieldOptions {
  /** Refused when it has its unset value. */
  required?: boolean;
  /** What clients send for it is ignored: the console writes it. */
  serverWritten?: boolean;
}

/** What happens to a record when the one that its relation points to goes. */
export interface RelationTarget<C extends string = string> {
  readonly collection: C;
  readonly cascadeDelete: boolean;
}

export interface FileRules {
  readonly maxBytes: number;
  readonly mimeTypes: readonly string[];
  readonly thumbs: readonly string[];
  /** Served only with a file token whose owner may view the record. */
  readonly isProtected: boolean;
}

/** One field of a collection: how its value is read from a body, checked, kept and shown, and who gets to see it (`access.ts`). */
export interface Field<Value = unknown> {
  readonly kind: FieldKind;
  readonly options: FieldOptions;
  /** Whether it holds a list: several ids, values or file names. */
  readonly multiple: boolean;
  /** The value of a record that never got one. */
  readonly unset: unknown;
  readonly relation?: RelationTarget;
  readonly file?: FileRules;
  /** Whether the value leaves the console. */
  readonly leaves?: boolean;
  /** Whether filters and sorts may name it. */
  readonly isSearchable?: boolean;
  readonly visibleWhen?: string;
  readonly isPrivate?: boolean;
  /** Of the value as it leaves; there for the compiler alone. */
  readonly wireType?: Value;
  /** Turns whatever a client sent into a value of the field; never throws. */
  cast(raw: unknown): unknown;
  /** The one spelling of an item of a list, where it may be written in several. */
  spell?(item: string): string;
  /** The first thing wrong with a cast value, `required` aside. */
  check(value: unknown): Problem | undefined;
  /** From a checked value to the stored one, given what is stored (seals secrets). */
  toStored?(value: unknown, stored: unknown): unknown;
  /** From the stored value to what may leave (takes secrets out). */
  toWire?(stored: unknown): unknown;
}

export const REQUIRED: FieldProblem = { code: 'validation_required', message: 'Missing required value.' };
export const BLANK: FieldProblem = { code: 'validation_required', message: 'Cannot be blank.' };

/** Whether a value counts as not given for `required`. */
export function isUnset(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === undefined || value === null || value === '' || value === 0 || value === false;
}
