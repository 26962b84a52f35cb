import { z, type ZodType } from 'zod';
import type { AnyRow, Collection } from './collection';
import type { Field } from './fields/field';

const DATE = { type: 'string', description: '`YYYY-MM-DD HH:MM:SS.mmmZ`, UTC; empty when unset' };

/** A record of the collection as it leaves, as JSON Schema. */
export function recordSchema(collection: Collection): AnyRow {
  const properties: AnyRow = {
    id: { type: 'string', minLength: 15, maxLength: 15 },
    collectionId: { const: collection.id },
    collectionName: { const: collection.name },
    created: DATE,
    updated: DATE,
  };
  for (const [name, field] of collection.outputFields) properties[name] = fieldSchema(field);
  properties.expand = {
    type: 'object',
    description: `Related records: ${[...collection.relations].join(', ') || 'none'}`,
  };
  const required = Object.keys(properties).filter((name) => name !== 'expand' && name !== 'email');
  return { type: 'object', properties, required };
}

/** What a create or update may send. */
export function inputSchema(collection: Collection, { isCreate }: { isCreate: boolean }): AnyRow {
  const properties: AnyRow = isCreate ? { id: { type: 'string', minLength: 15, maxLength: 15 } } : {};
  const required: string[] = [];
  for (const [name, field] of collection.fields) {
    if (field.options.serverWritten) continue;
    properties[name] = fieldSchema(field);
    if (isCreate && field.options.required) required.push(name);
    if (field.kind === 'number' || field.multiple) Object.assign(properties, modifiersOf(name, field));
  }
  if (isCreate) Object.assign(properties, collection.createInput);
  if (collection.isAuth) {
    for (const name of ['password', 'passwordConfirm', 'oldPassword']) {
      properties[name] = { type: 'string', format: 'password', writeOnly: true };
    }
    if (isCreate) required.push('password', 'passwordConfirm');
  }
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

function modifiersOf(name: string, field: Field): AnyRow {
  const schema = field.kind === 'number' ? { type: 'number' } : { type: ['string', 'array'] };
  return { ...(field.kind !== 'file' && { [`${name}+`]: schema }), [`${name}-`]: schema };
}

function fieldSchema(field: Field): AnyRow {
  const single = valueSchema(field);
  const { max } = field.options as { max?: number };
  const schema = field.multiple ? { type: 'array', items: single, uniqueItems: true, maxItems: max } : single;
  return field.options.serverWritten ? { ...schema, readOnly: true } : schema;
}

function valueSchema({ kind, options, relation, file, multiple }: Field): AnyRow {
  const { min, max, values, schema, pattern, itemLength } = options as {
    min?: number;
    itemLength?: number;
    max?: number;
    values?: readonly string[];
    schema?: ZodType;
    pattern?: RegExp;
  };
  switch (kind) {
    case 'number':
      return { type: 'number', minimum: min, maximum: max };
    case 'bool':
      return { type: 'boolean' };
    case 'date':
      return DATE;
    case 'select':
      if (itemLength) return { type: 'string', maxLength: itemLength };
      return { type: 'string', enum: options.required ? values : [...(values ?? []), ''] };
    case 'relation':
      return { type: 'string', description: `Id of a record of ${relation!.collection}` };
    case 'file':
      return { type: 'string', description: `Name of a stored file of at most ${file!.maxBytes} bytes` };
    case 'json':
      return schema ? jsonSchema(schema) : {};
    default:
      return { type: 'string', ...(!multiple && { minLength: min, maxLength: max, pattern: pattern?.source }) };
  }
}

function jsonSchema(schema: ZodType): AnyRow {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return rest;
}
