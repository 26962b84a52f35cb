import { zodResolver } from '@hookform/resolvers/zod';
import type { FieldValues, Resolver } from 'react-hook-form';
import type { core, ZodType } from 'zod';
import { complaintOf } from '@/lib/schema-complaints';

/** Checks a form by its schema. What names no words of its own complains by a key of `common.problems`, with the bound after a colon. */
export function schemaResolver<Input extends FieldValues, Output>(
  schema: ZodType<Output, Input>,
): Resolver<Input, unknown, Output> {
  return zodResolver(schema, { error: asKey });
}

/** A complaint as a form has it. */
export function asKey(issue: core.$ZodRawIssue): string {
  const { key, count } = complaintOf(issue);
  return count === undefined ? key : `${key}:${count}`;
}
