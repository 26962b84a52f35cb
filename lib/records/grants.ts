import type { FieldProblems } from '@/lib/errors';
import { actorUserId } from '@/lib/policies/actor';
import type { GrantedResource } from '@/lib/policies/rules';
import type { AnyRow, CheckContext, Hooks, UniqueSpec } from './collection';
import { searched } from './fields/access';
import { REQUIRED } from './fields/field';
import { relation } from './fields/relation';

export const resourceField = <C extends GrantedResource>(collection: C) =>
  relation(collection, { required: true, cascadeDelete: true });

/** The person or the group that holds a permission, and who set it last. */
export const holderFields = () => ({
  user: searched(relation('users', { cascadeDelete: true })),
  group: searched(relation('groups', { cascadeDelete: true })),
  set_by: searched(relation('users', { serverWritten: true })),
});

/** A person or a group is granted something on a resource once; more flags go into the same record. */
export function oncePerHolder(resource: string, ...others: string[]): UniqueSpec[] {
  return ['user', 'group'].map((holder) => ({
    fields: [holder, resource, ...others],
    when: (row) => row[holder] !== '',
    message: `Selected ${holder} already has permission to this ${resource}.`,
  }));
}

const IN_BOTH = {
  code: 'validation_one_holder',
  message: 'A permission is held by a user or by a group, not by both.',
};

/** Exactly one holds it; who that is, and on what, stays as it was made. */
export function checkHolder(resource: string) {
  return ({ row, before }: CheckContext<never>): FieldProblems => {
    const problems: FieldProblems = {};
    const [now, then] = [row as AnyRow, before as AnyRow | undefined];
    for (const name of ['user', 'group', resource]) {
      if (then && now[name] !== then[name]) {
        problems[name] = { code: 'validation_in_invalid', message: 'Must be a valid value.' };
      }
    }
    if (now.user === '' && now.group === '') problems.user ??= REQUIRED;
    if (now.user !== '' && now.group !== '') problems.group ??= IN_BOTH;
    return problems;
  };
}

/** Writes down who set the permission, by the record API: so that it can be told why somebody may do something. */
export const setBy: Hooks<{ set_by: string }> = {
  complete({ actor, row, before }) {
    const [now, then] = [row as AnyRow, before as AnyRow | undefined];
    if (!then || Object.keys(now).some((name) => now[name] !== then[name])) row.set_by = actorUserId(actor);
  },
};
