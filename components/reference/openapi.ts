/** The parts of an OpenAPI 3.1 document that the reference page shows. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  readOnly?: boolean;
}

type Content = Record<string, { schema?: Schema }>;

interface Answer {
  description?: string;
  content?: Content;
  $ref?: string;
}

interface Operation {
  tags?: string[];
  summary?: string;
  description?: string;
  operationId?: string;
  parameters?: { name: string; in: string; description?: string; schema?: Schema }[];
  requestBody?: { content?: Content };
  responses?: Record<string, Answer>;
}

export interface Call {
  method: string;
  path: string;
  operation: Operation;
}

export interface OpenApi {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
}

const METHODS = ['get', 'post', 'patch', 'put', 'delete'];

/** Every call by its first tag, in the document's order. */
export function callsByTag({ paths }: OpenApi): [tag: string, calls: Call[]][] {
  const groups = new Map<string, Call[]>();
  for (const [path, operations] of Object.entries(paths)) {
    for (const method of METHODS) {
      const operation = operations[method];
      if (!operation) continue;
      const tag = operation.tags?.[0] ?? '';
      groups.set(tag, [...(groups.get(tag) ?? []), { method, path, operation }]);
    }
  }
  return [...groups];
}

/** The schema behind a reference. */
function resolve(document: OpenApi, schema: Schema | undefined): Schema | undefined {
  const name = schema?.$ref?.split('/').at(-1);
  return name ? document.components.schemas[name] : schema;
}

/** What a call takes, whichever way it is written. */
export function bodyOf(document: OpenApi, { requestBody }: Operation): Schema | undefined {
  return resolve(document, Object.values(requestBody?.content ?? {})[0]?.schema);
}

/** What a call answers, in words and by its type. Refusals are alike everywhere. */
export function answerOf({ description, content = {}, $ref }: Answer): string {
  if ($ref) return '{code, message, data}';
  const types = Object.entries(content).map(([media, { schema }]) => (schema ? typeOf(schema) : media));
  return [description, ...types].filter(Boolean).join(' · ');
}

/** A schema's type in a word or two: of objects the names of their fields, of those kept elsewhere their own name. */
export function typeOf(schema: Schema): string {
  const { $ref, anyOf, items, properties } = schema;
  if ($ref) return $ref.split('/').at(-1)!;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (anyOf) return anyOf.map(typeOf).join(' | ');
  if (items) return items.enum || items.anyOf ? `(${typeOf(items)})[]` : `${typeOf(items)}[]`;
  if (properties) return `{${Object.keys(properties).join(', ')}}`;
  return [schema.type ?? 'any'].flat().join(' | ');
}
