import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { collections } from '@/lib/api/collections';
import { apiRoutes } from '@/lib/api/kernel';
import type { AnyRow } from '@/lib/records/collection';
import { call, send } from '../setup/call';
import { openPrivateDatabase } from '../setup/database';

openPrivateDatabase();

type Document = { paths: Record<string, Record<string, AnyRow>>; components: { schemas: Record<string, AnyRow> } };

/** Calls that say nothing of themselves: of agents, of records (their collections do), and the twins of GET. */
const UNDESCRIBED = [/^\w+ \/api\/agent\//, /^\w+ \/api\/collections\/:collection\/records(?:\/:id)?$/, /^HEAD /];
const isUndescribed = (route: string) => UNDESCRIBED.some((pattern) => pattern.test(route));
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

test('is a document of OpenAPI 3.1 by its schema', async () => {
  const { json } = await call('GET', '/api/openapi.json');
  const validator = new Validator();
  const { valid, errors } = await validator.validate(json);
  expect({ valid, errors, version: validator.version }).toEqual({ valid: true, errors: undefined, version: '3.1' });
});

test('has every call say what it is', () => {
  const silent = apiRoutes.filter(({ about }) => !about).map(nameOf);
  expect(silent).toEqual(apiRoutes.map(nameOf).filter(isUndescribed));
});

test('shows bodies that the calls take', () => {
  for (const route of apiRoutes) {
    const { body, bodyTypes = ['application/json'], example } = route.about ?? {};
    const isJson = body !== undefined && bodyTypes.includes('application/json');
    expect([nameOf(route), example !== undefined]).toEqual([nameOf(route), isJson]);
    if (isJson) expect([nameOf(route), body.safeParse(example).error?.issues]).toEqual([nameOf(route), undefined]);
  }
});

test('describes every collection, and every reference leads somewhere', async () => {
  const { json, text } = await call('GET', '/api/openapi.json');
  const { paths, components } = json as unknown as Document;
  expect(json.openapi).toBe('3.1.0');
  for (const { name } of collections) {
    const base = `/api/collections/${name}/records`;
    expect(Object.keys(paths[base]!)).toContain('get');
    expect(components.schemas[name]).toMatchObject({ type: 'object' });
  }
  expect(paths['/api/collections/hosts/records']!.post).toBeUndefined();
  expect(components.schemas.users!.properties).not.toHaveProperty('passwordHash');
  expect(components.schemas.workspaces_create!.required).toEqual(['name', 'image', 'host']);
  const references = [...text.matchAll(/"\$ref":"#\/components\/(\w+)\/(\w+)"/g)];
  for (const [, kind, name] of references) {
    expect((json.components as Record<string, AnyRow>)[kind!]).toHaveProperty(name!);
  }
});

test('names only calls that there are', async () => {
  const { json } = await call('GET', '/api/openapi.json');
  for (const [path, methods] of Object.entries((json as unknown as Document).paths)) {
    for (const method of Object.keys(methods).filter((key) => key !== 'parameters')) {
      const controller = new AbortController();
      const address = path.replace('{collection}', 'users').replace(/\{\w+\}/g, 'abc');
      const init = { method: method.toUpperCase(), signal: controller.signal };
      const response = await send(address, init);
      const isStream = response.headers.get('content-type') === 'text/event-stream';
      const body = isStream ? {} : ((await response.json().catch(() => ({}))) as AnyRow);
      controller.abort();
      expect([method, path, body.message]).not.toEqual([method, path, 'Not Found.']);
    }
  }
});
