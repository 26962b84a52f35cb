/** The parts of an OpenAPI 3.1 document that the reference page shows. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  description?: string;
  enum?: unknown[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  readOnly?: boolean;
}

interface Operation {
  tags?: string[];
  summary?: string;
  description?: string;
  operationId?: string;
  parameters?: { name: string; in: string; description?: string; schema?: Schema }[];
  requestBody?: { content?: Record<string, { schema?: Schema }> };
  responses?: Record<string, { description?: string }>;
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
export function resolve(document: OpenApi, schema: Schema | undefined): Schema | undefined {
  const name = schema?.$ref?.split('/').at(-1);
  return name ? document.components.schemas[name] : schema;
}

/** A schema's type in a word or two. */
export function typeOf(schema: Schema): string {
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.items) return `${typeOf(schema.items)}[]`;
  return [schema.type ?? 'any'].flat().join(' | ');
}
