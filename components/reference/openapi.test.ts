import { expect, test } from 'vitest';
import { answerOf, bodyOf, callsByTag, typeOf, type OpenApi, type Schema } from './openapi';

test.each<[Schema, string]>([
  [{ type: ['string', 'null'] }, 'string | null'],
  [{ enum: ['a', 1] }, '"a" | 1'],
  [{ type: 'boolean', const: true }, 'true'],
  [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, 'integer | null'],
  [{ type: 'array', items: { type: 'string' } }, 'string[]'],
  [{ type: 'array', items: { enum: ['a', 'b'] } }, '("a" | "b")[]'],
  [{ type: 'object', properties: { token: {}, record: {} } }, '{token, record}'],
  [{ $ref: '#/components/schemas/users' }, 'users'],
  [{}, 'any'],
])('%j is %s', (schema, type) => {
  expect(typeOf(schema)).toBe(type);
});

test('an answer is its description and its type, a refusal the shape of all', () => {
  const schema = { $ref: '#/components/schemas/users' };
  expect(answerOf({ description: 'The record', content: { 'application/json': { schema } } })).toBe(
    'The record · users',
  );
  expect(answerOf({ description: 'A file', content: { 'text/csv': {} } })).toBe('A file · text/csv');
  expect(answerOf({ $ref: '#/components/responses/Error' })).toBe('{code, message, data}');
});

test('a body is found behind its reference and whatever its media type', () => {
  const schemas = { users_create: { type: 'object', properties: { name: {} } } };
  const document: OpenApi = { paths: {}, components: { schemas } };
  const schema = { $ref: '#/components/schemas/users_create' };
  expect(bodyOf(document, { requestBody: { content: { 'multipart/form-data': { schema } } } })).toBe(
    schemas.users_create,
  );
  expect(bodyOf(document, {})).toBeUndefined();
});

const grouped: OpenApi = {
  paths: {
    '/hosts': { post: { tags: ['Hosts'] }, get: { tags: ['Hosts', 'Lists'] } },
    '/health': { get: {} },
    '/hosts/{id}': { get: { tags: ['Hosts'] } },
  },
  components: { schemas: {} },
};

test('calls stand by their first tag, in the order of the document', () => {
  expect(
    callsByTag(grouped).map(([tag, calls]) => [tag, calls.map(({ method, path }) => `${method} ${path}`)]),
  ).toEqual([
    ['Hosts', ['get /hosts', 'post /hosts', 'get /hosts/{id}']],
    ['', ['get /health']],
  ]);
});
