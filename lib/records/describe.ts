import { z } from 'zod';
import { grantTables, memberships, type Rule } from '@/lib/policies/rules';
import type { AnyRow, Collection } from './collection';
import type { Field } from './fields/field';
import { collectionNamed } from './registry';

/** Collections are code; these are the dates that their descriptions carry. */
const SINCE = '2026-11-20 00:00:00.000Z';

const ruleSchema = z.string().nullable().describe('In the filter language; null where the API is closed');

/** A collection as the administration calls show it. */
export const collectionSchema = z.strictObject({
  id: z.string(),
  created: z.string(),
  updated: z.string(),
  name: z.string(),
  type: z.enum(['auth', 'base']),
  system: z.boolean(),
  schema: z.array(
    z.strictObject({
      system: z.boolean(),
      id: z.string(),
      name: z.string(),
      type: z.string(),
      required: z.boolean(),
      presentable: z.boolean(),
      unique: z.boolean(),
      options: z.record(z.string(), z.unknown()),
    }),
  ),
  indexes: z.array(z.string()),
  listRule: ruleSchema,
  viewRule: ruleSchema,
  createRule: ruleSchema,
  updateRule: ruleSchema,
  deleteRule: ruleSchema,
  options: z.record(z.string(), z.unknown()),
});
export type CollectionDescription = z.output<typeof collectionSchema>;

export function describeCollection(collection: Collection): CollectionDescription {
  const { policy } = collection;
  return {
    id: collection.id,
    created: SINCE,
    updated: SINCE,
    name: collection.name,
    type: collection.isAuth ? 'auth' : 'base',
    system: true,
    schema: schemaOf(collection),
    indexes: indexesOf(collection),
    listRule: ruleText(policy.list),
    viewRule: ruleText(policy.view),
    createRule: ruleText(policy.create),
    updateRule: ruleText(policy.update),
    deleteRule: ruleText(policy.delete),
    options: collection.isAuth ? authOptions(policy.can.manage) : {},
  };
}

/** Account fields that every account has are no part of the schema. */
const ACCOUNT_FIELDS = new Set(['username', 'email', 'emailVisibility', 'verified']);

function schemaOf(collection: Collection): CollectionDescription['schema'] {
  return collection.outputFields
    .filter(([name]) => !(collection.isAuth && ACCOUNT_FIELDS.has(name)))
    .map(([name, field]) => ({
      system: false,
      id: `${collection.name}_${name}`,
      name,
      type: field.kind,
      required: field.options.required ?? false,
      presentable: name === 'name' || name === 'url',
      unique: false,
      options: optionsOf(field),
    }));
}

function optionsOf({ kind, options, relation, file, multiple }: Field): AnyRow {
  const { min, max, values, pattern } = options as { min?: number; max?: number; values?: string[]; pattern?: RegExp };
  const base = { min: min ?? null, max: max ?? null };
  const maxSelect = multiple ? (max ?? null) : 1;
  if (relation) {
    const collectionId = collectionNamed(relation.collection)?.id ?? '';
    return { collectionId, cascadeDelete: relation.cascadeDelete, minSelect: min ?? null, maxSelect };
  }
  if (file) {
    const { maxBytes, mimeTypes, thumbs, isProtected } = file;
    return { maxSelect, maxSize: maxBytes, mimeTypes, thumbs, protected: isProtected };
  }
  if (kind === 'select') return { maxSelect, values: values ?? [] };
  return { ...base, pattern: pattern?.source ?? '' };
}

function indexesOf({ name, unique }: Collection): string[] {
  return unique.map(({ fields }) => {
    const columns = fields.map((field) => `\`${field}\``).join(', ');
    return `CREATE UNIQUE INDEX \`${name}_${fields.join('_')}\` ON \`${name}\` (${columns})`;
  });
}

function authOptions(manage: Rule | undefined): AnyRow {
  return {
    manageRule: manage ? ruleText(manage) : null,
    allowOAuth2Auth: true,
    allowUsernameAuth: true,
    allowEmailAuth: true,
    requireEmail: false,
    exceptEmailDomains: null,
    onlyEmailDomains: null,
    onlyVerified: false,
    minPasswordLength: 8,
  };
}

const MEMBERS_VIA = `${memberships.collection}_via_${memberships.group}.${memberships.user}`;

/** A rule in the words of the filter language, to be read; null where the API is closed. */
export function ruleText(rule: Rule, path = ''): string | null {
  switch (rule.kind) {
    case 'nobody':
      return null;
    case 'admin':
      return '@request.auth.isAdmin = true';
    case 'signedIn':
      return "@request.auth.id != ''";
    case 'owner':
      return `${path}created_by = @request.auth.id`;
    case 'self':
      return `${path}${rule.field} = @request.auth.id`;
    case 'member':
      return `${path}${rule.field}.${MEMBERS_VIA} ?= @request.auth.id`;
    case 'grant': {
      const { collection, field } = grantTables[rule.resource];
      const via = `${path}${collection}_via_${field}`;
      const flags = rule.flags.map((flag) => `${via}.${flag} ?= true`).join(' || ');
      const holder = `${via}.user ?= @request.auth.id || ${via}.group.${MEMBERS_VIA} ?= @request.auth.id`;
      return `((${holder}) && (${flags}))`;
    }
    case 'through':
      return ruleText(rule.rule, `${path}${rule.field}.`);
    case 'anyOf':
      return `(${rule.rules.map((part) => ruleText(part, path)).join(' || ')})`;
    case 'allOf':
      return `(${rule.rules.map((part) => ruleText(part, path)).join(' && ')})`;
  }
}
