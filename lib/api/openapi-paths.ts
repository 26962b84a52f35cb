import { z, ZodType } from 'zod';
import type { Route } from '@/lib/http/context';
import type { RouteDescription } from '@/lib/http/route';
import type { AnyRow } from '@/lib/records/collection';

const ERROR = { $ref: '#/components/responses/Error' };

/** The calls that are described one by one, as OpenAPI paths; those of records are described by their collections. */
export function pathsOfRoutes(routes: readonly Route[]): AnyRow {
  const paths: Record<string, AnyRow> = {};
  for (const { method, path, about } of routes) {
    if (!about) continue;
    const shown = documentedPath(path);
    (paths[shown] ??= {})[method.toLowerCase()] = operationOf(method, shown, about);
  }
  return paths;
}

/** Accounts are kept in one collection, so that their calls name it. */
function documentedPath(path: string): string {
  return path
    .replace(/^(\/api\/collections\/):collection(?=\/.)/, '$1users')
    .replace(/:(\w+)/g, (_, name: string) => `{${name}}`);
}

function operationOf(method: string, path: string, about: RouteDescription): AnyRow {
  const { summary, query = {}, body, bodyTypes = ['application/json'], example, answer, status } = about;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  const inQuery = Object.entries(query).map(([name, description]) => ({
    name,
    in: 'query',
    description,
    schema: { type: 'string' },
  }));
  const parameters = [...inPath, ...inQuery];
  const sent = body && { schema: schemaOf(body, 'input'), ...(example && { example }) };
  return {
    tags: [tagOf(path)],
    operationId: operationId(method, path),
    summary,
    ...(parameters.length > 0 && { parameters }),
    ...(sent && { requestBody: { content: Object.fromEntries(bodyTypes.map((type) => [type, sent])) } }),
    responses: { ...(status < 400 && { [status]: responseOf(answer) }), default: ERROR },
  };
}

function responseOf(answer: RouteDescription['answer']): AnyRow {
  if (answer === undefined) return { description: 'Done' };
  const content =
    answer instanceof ZodType
      ? { 'application/json': { schema: schemaOf(answer, 'output') } }
      : Object.fromEntries(answer.map((type) => [type, {}]));
  return { description: 'What was asked for', content };
}

/** JSON Schema of what a call takes or answers; records are referred to by their collection. */
function schemaOf(schema: ZodType, io: 'input' | 'output'): AnyRow {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override({ jsonSchema }) {
      const { record } = jsonSchema as { record?: string };
      if (record === undefined) return;
      for (const key of Object.keys(jsonSchema)) delete (jsonSchema as AnyRow)[key];
      jsonSchema.$ref = `#/components/schemas/${record}`;
    },
  });
  return rest;
}

function operationId(method: string, path: string): string {
  const words = path.split('/').slice(2);
  return [method.toLowerCase(), ...words.map((word) => word.replace(/\W+/g, '_').replace(/^_|_$/g, ''))].join('_');
}

function tagOf(path: string): string {
  const [, , area = '', name = ''] = path.split('/');
  return area === 'collections' && name === 'users' ? 'users' : area;
}
