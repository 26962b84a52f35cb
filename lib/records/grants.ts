import type { FieldProblems } from '@/lib/errors';
import type { CheckContext, UniqueSpec } from './collection';
import { relation } from './fields/relation';
import type { GrantedResource } from '@/lib/policies/rules';

export const userField = () => relation('users', { required: true, cascadeDelete: true });
export const resourceField = <C extends GrantedResource>(collection: C) =>
  relation(collection, { required: true, cascadeDelete: true });

/** A user is granted something on a resource once; more flags go into the same record. */
export function oncePerUser(resource: string): UniqueSpec {
  const message = `Selected user already has permission to this ${resource}.`;
  return { fields: ['user', resource], message };
}

/** Whom and what a permission is about stays as it was made. */
export function keepSubject(resource: string) {
  return ({ row, before }: CheckContext<never>): FieldProblems => {
    const problems: FieldProblems = {};
    const [now, then] = [row as Record<string, unknown>, before as Record<string, unknown> | undefined];
    for (const name of ['user', resource]) {
      if (then && now[name] !== then[name]) {
        problems[name] = { code: 'validation_in_invalid', message: 'Must be a valid value.' };
      }
    }
    return problems;
  };
}
