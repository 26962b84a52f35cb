import { expect, it } from 'vitest';
import { callsByTag, resolve, typeOf, type OpenApi } from './openapi';

const document: OpenApi = {
  paths: {
    '/hosts': { post: { tags: ['Hosts'] }, get: { tags: ['Hosts', 'Lists'] } },
    '/health': { get: {} },
    '/hosts/{id}': { get: { tags: ['Hosts'] } },
  },
  components: { schemas: { Host: { type: 'object' } } },
};

it('groups calls by their first tag, in the order of the document', () => {
  expect(
    callsByTag(document).map(([tag, calls]) => [tag, calls.map(({ method, path }) => `${method} ${path}`)]),
  ).toEqual([
    ['Hosts', ['get /hosts', 'post /hosts', 'get /hosts/{id}']],
    ['', ['get /health']],
  ]);
});

it('follows a reference', () => {
  expect(resolve(document, { $ref: '#/components/schemas/Host' })).toEqual({ type: 'object' });
  expect(resolve(document, { type: 'string' })).toEqual({ type: 'string' });
  expect(resolve(document, undefined)).toBeUndefined();
});

it.each([
  [{ enum: ['a', 1] }, '"a" | 1'],
  [{ type: 'array', items: { type: ['string', 'null'] } }, 'string | null[]'],
  [{}, 'any'],
])('says the type of %j', (schema, text) => expect(typeOf(schema)).toBe(text));
