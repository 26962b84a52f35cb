import { expect, test } from 'vitest';
import { apiRoutes } from '@/lib/api/kernel';
import { collections } from '@/lib/api/collections';
import { isClosed } from '@/lib/policies/evaluate';
import type { AnyRow } from '@/lib/records/collection';
import { call } from '../setup/call';
import { openPrivateDatabase } from '../setup/database';

/** The document against the rules of OpenAPI 3.1, as far as they can be looked at without its schema, and against the routes. */
openPrivateDatabase();

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];
const PATH_KEYS = [...METHODS, '$ref', 'summary', 'description', 'servers', 'parameters'];
const OPERATION_KEYS =
  'tags summary description externalDocs operationId parameters requestBody responses callbacks deprecated security servers'.split(
    ' ',
  );
const TYPES = ['null', 'boolean', 'object', 'array', 'number', 'string', 'integer'];

/** Calls that the document leaves out, each with a reason. */
const LEFT_OUT: Record<string, RegExp> = {
  'hosts speak their own protocol': /^\w+ \/api\/agent\//,
  'as GET': /^HEAD /,
};

const load = async () => (await call('GET', '/api/openapi.json')).json as Record<string, AnyRow>;

function resolve(document: AnyRow, value: AnyRow): AnyRow {
  if (typeof value.$ref !== 'string') return value;
  expect(value.$ref).toMatch(/^#\//);
  const found = value.$ref
    .slice(2)
    .split('/')
    .reduce<unknown>(
      (at, key) => (at as AnyRow | undefined)?.[key.replaceAll('~1', '/').replaceAll('~0', '~')],
      document,
    );
  expect([value.$ref, typeof found]).toEqual([value.$ref, 'object']);
  return found as AnyRow;
}

function* objectsIn(value: unknown): Generator<AnyRow> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as AnyRow;
  for (const inner of Object.values(value)) yield* objectsIn(inner);
}

function* operationsOf(document: Record<string, AnyRow>) {
  for (const [path, item] of Object.entries(document.paths as Record<string, AnyRow>)) {
    for (const method of METHODS.filter((key) => key in item)) {
      yield { path, method, item, operation: item[method] as AnyRow };
    }
  }
}

function checkSchema(schema: AnyRow): void {
  for (const type of [schema.type ?? []].flat()) expect(TYPES).toContain(type);
  if (schema.properties !== undefined) expect(schema.properties).toBeTypeOf('object');
  if (schema.required !== undefined) {
    const required = schema.required as string[];
    expect(new Set(required).size).toBe(required.length);
    for (const name of required) expect(Object.keys(schema.properties as object)).toContain(name);
  }
  if (schema.enum !== undefined) expect((schema.enum as unknown[]).length).toBeGreaterThan(0);
  if (schema.pattern !== undefined) expect(() => new RegExp(String(schema.pattern), 'u')).not.toThrow();
  for (const inner of Object.values((schema.properties ?? {}) as Record<string, AnyRow>)) checkSchema(inner);
  if (typeof schema.items === 'object') checkSchema(schema.items as AnyRow);
}

test('has the frame that the rules ask for', async () => {
  const document = await load();
  expect(document.openapi).toMatch(/^3\.1\.\d+$/);
  expect(document.info).toMatchObject({ title: expect.any(String) as unknown, version: expect.any(String) as unknown });
  for (const { url } of document.servers as unknown as AnyRow[]) expect(URL.canParse(String(url))).toBe(true);
  const schemes = Object.keys(document.components!.securitySchemes as object);
  for (const each of document.security as unknown as AnyRow[]) {
    for (const name of Object.keys(each)) expect(schemes).toContain(name);
  }
  for (const group of Object.values(document.components!)) {
    for (const name of Object.keys(group as object)) expect(name).toMatch(/^[\w.-]+$/);
  }
  const tags = (document.tags as unknown as AnyRow[]).map(({ name }) => name);
  expect(new Set(tags).size).toBe(tags.length);
  for (const value of objectsIn(document)) if ('$ref' in value) resolve(document, value);
  for (const schema of Object.values(document.components!.schemas as Record<string, AnyRow>)) checkSchema(schema);
});

test('every operation is one', async () => {
  const document = await load();
  const ids: unknown[] = [];
  const shapes = Object.keys(document.paths!).map((path) => path.replace(/\{\w+\}/g, '{}'));
  expect(new Set(shapes).size).toBe(shapes.length);
  for (const { path, method, item, operation } of operationsOf(document)) {
    const where = `${method} ${path}`;
    expect([where, path.startsWith('/')]).toEqual([where, true]);
    for (const key of Object.keys(item)) expect(PATH_KEYS).toContain(key);
    for (const key of Object.keys(operation)) expect(OPERATION_KEYS).toContain(key);
    if (operation.operationId !== undefined) ids.push(operation.operationId);
    const parameters = [...((item.parameters ?? []) as AnyRow[]), ...((operation.parameters ?? []) as AnyRow[])].map(
      (each) => resolve(document, each),
    );
    const names = parameters.map(({ name, in: place }) => `${String(place)} ${String(name)}`);
    expect([where, new Set(names).size]).toEqual([where, names.length]);
    const inPath = parameters.filter(({ in: place }) => place === 'path');
    expect(inPath.every(({ required }) => required === true)).toBe(true);
    const wanted = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect([where, inPath.map(({ name }) => name).sort()]).toEqual([where, wanted.sort()]);
    for (const { in: place, schema } of parameters) {
      expect(['query', 'header', 'path', 'cookie']).toContain(place);
      checkSchema(resolve(document, schema as AnyRow));
    }
    const responses = Object.entries(operation.responses as Record<string, AnyRow>);
    expect(responses.length).toBeGreaterThan(0);
    for (const [status, response] of responses) {
      expect(status).toMatch(/^(?:[1-5](?:\d\d|XX)|default)$/);
      expect(resolve(document, response).description).toEqual(expect.any(String));
    }
    const body = operation.requestBody as AnyRow | undefined;
    for (const [type, media] of Object.entries((body?.content ?? {}) as Record<string, AnyRow>)) {
      expect(type).toMatch(/^[\w-]+\/[\w-]+$/);
      checkSchema(resolve(document, media.schema as AnyRow));
    }
  }
  expect(new Set(ids).size).toBe(ids.length);
});

/** What the routes offer: general ones of records once a collection, the others of accounts for `users` alone. */
function offered(): string[] {
  return apiRoutes
    .map(({ method, path }) => `${method} ${path}`)
    .filter((route) => !Object.values(LEFT_OUT).some((pattern) => pattern.test(route)))
    .flatMap((route) => {
      const isRecord = /^\w+ \/api\/collections\/:collection\/records(?:\/:id)?$/.test(route);
      if (!isRecord) return route.replace(/(\/api\/collections)\/:collection\//, '$1/users/');
      return collections
        .filter(({ policy }) => {
          const rule = { POST: policy.create, PATCH: policy.update, DELETE: policy.delete }[route.split(' ')[0]!];
          return rule === undefined || !isClosed(rule);
        })
        .map(({ name }) => route.replace(':collection', name));
    })
    .map((route) => route.replace(/:(\w+)/g, '{}'));
}

test('describes every call that there is, and none else', async () => {
  const described = [...operationsOf(await load())].map(
    ({ path, method }) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '{}')}`,
  );
  expect(described.sort()).toEqual([...new Set(offered())].sort());
});
