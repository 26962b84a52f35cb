import 'server-only';
import { collections } from './collections';
import { env } from '@/lib/env';
import { isClosed } from '@/lib/policies/evaluate';
import type { AnyRow, Collection } from '@/lib/records/collection';
import { inputSchema, recordSchema } from '@/lib/records/json-schema';
import { APP_VERSION } from '@/lib/version';
import type { Route } from '@/lib/http/context';
import { pathsOfRoutes } from './openapi-paths';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: AnyRow) => ({ 'application/json': { schema } });
const answer = (description: string, schema?: AnyRow) => ({ description, ...(schema && { content: json(schema) }) });
const fails = (...codes: number[]) =>
  Object.fromEntries(codes.map((code) => [code, { $ref: '#/components/responses/Error' }]));
const query = (name: string, type = 'string') => ({ name, in: 'query', schema: { type } });
const SHOW = [query('expand'), query('fields')];
const ID = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };

/** The API as an OpenAPI 3.1 document, made from the collections and the routes. */
export function describeApi(routes: readonly Route[]): AnyRow {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Berth',
      version: APP_VERSION,
      description: 'The record API that the console itself uses. The published `pocketbase` client works against it.',
    },
    servers: [{ url: env().publicUrl }],
    security: [{ token: [] }, {}],
    tags: collections.map(({ name }) => ({ name })),
    paths: { ...Object.assign({}, ...collections.map(pathsOf)), ...pathsOfRoutes(routes) },
    components: {
      securitySchemes: { token: { type: 'apiKey', in: 'header', name: 'Authorization' } },
      responses: { Error: answer('What is wrong', ref('Error')) },
      schemas: { Error: errorSchema(), ...Object.assign({}, ...collections.map(schemasOf)) },
    },
  };
}

function errorSchema(): AnyRow {
  const properties = {
    code: { type: 'integer' },
    message: { type: 'string' },
    data: { type: 'object', description: 'Problems by field: `{code, message}`, nested by key and index' },
  };
  return { type: 'object', properties, required: ['code', 'message', 'data'] };
}

function schemasOf(collection: Collection): AnyRow {
  const { name } = collection;
  const count = { type: 'integer' };
  const page = { page: count, perPage: count, totalItems: count, totalPages: count };
  return {
    [name]: recordSchema(collection),
    [`${name}_create`]: inputSchema(collection, { isCreate: true }),
    [`${name}_update`]: inputSchema(collection, { isCreate: false }),
    [`${name}_page`]: {
      type: 'object',
      properties: { ...page, items: { type: 'array', items: ref(name) } },
      required: [...Object.keys(page), 'items'],
    },
  };
}

function bodyOf(name: string): AnyRow {
  return { content: { ...json(ref(name)), 'multipart/form-data': { schema: ref(name) } } };
}

function pathsOf({ name, policy }: Collection): AnyRow {
  const base = `/api/collections/${name}/records`;
  const tags = [name];
  const list = [
    query('page', 'integer'),
    query('perPage', 'integer'),
    query('filter'),
    query('sort'),
    query('skipTotal', 'boolean'),
  ];
  const operation = (act: string, rest: AnyRow) => ({ tags, operationId: `${act}_${name}`, ...rest });
  const record = answer('The record', ref(name));
  const one: AnyRow = {
    parameters: [ID],
    get: operation('view', { parameters: SHOW, responses: { 200: record, ...fails(404) } }),
  };
  const all: AnyRow = {
    get: operation('list', {
      parameters: [...list, ...SHOW],
      responses: {
        200: answer('A page of the records that the caller may see', ref(`${name}_page`)),
        ...fails(400, 403),
      },
    }),
  };
  if (!isClosed(policy.create)) {
    const responses = { 200: record, ...fails(400, 403) };
    all.post = operation('create', { parameters: SHOW, requestBody: bodyOf(`${name}_create`), responses });
  }
  if (!isClosed(policy.update)) {
    const responses = { 200: record, ...fails(400, 404) };
    one.patch = operation('update', { parameters: SHOW, requestBody: bodyOf(`${name}_update`), responses });
  }
  if (!isClosed(policy.delete)) {
    one.delete = operation('delete', { responses: { 204: answer('It is gone'), ...fails(400, 404) } });
  }
  return { [base]: all, [`${base}/{id}`]: one };
}
