import 'server-only';
import busboy from 'busboy';
import { limits } from '@/lib/vocabulary/limits';
import { AppError } from '@/lib/errors';
import type { RequestContext } from './context';
import type { AnyRow, Collection } from '@/lib/records/collection';
import type { Upload } from '@/lib/records/uploads';

const JSON_PART = '@jsonPayload';
const MAX_FILES = 100;

interface Parts {
  fields: Map<string, string[]>;
  json: AnyRow[];
  uploads: Record<string, Upload[]>;
}

/** Reads a multipart body against the collection: repeated keys make lists where the field holds several values. */
export async function readMultipart(
  context: RequestContext,
  collection: Collection,
  limitBytes: number,
): Promise<{ body: AnyRow; uploads: Record<string, Upload[]> }> {
  const { fields, json, uploads } = await collectParts(context, collection, limitBytes);
  const body: AnyRow = Object.create(null) as AnyRow;
  for (const [name, values] of fields) {
    const field = collection.fields.get(name.replace(/[+-]$/, ''));
    body[name] = field?.multiple || (values.length > 1 && isListKind(field?.kind)) ? values : values[0];
  }
  for (const payload of json) Object.assign(body, payload);
  return { body, uploads };
}

function isListKind(kind: string | undefined): boolean {
  return kind === 'select' || kind === 'file' || kind === 'relation';
}

function collectParts(context: RequestContext, collection: Collection, limitBytes: number): Promise<Parts> {
  const maxFile = Math.max(
    limits.uploadBytes,
    ...[...collection.fields.values()].map(({ file }) => file?.maxBytes ?? 0),
  );
  const parser = busboy({
    headers: { 'content-type': context.header('content-type') },
    defParamCharset: 'utf8',
    limits: { fileSize: maxFile + 1, files: MAX_FILES, fieldSize: limits.jsonBodyBytes, parts: 2000 },
  });
  const parts: Parts = { fields: new Map(), json: [], uploads: Object.create(null) as Parts['uploads'] };
  return new Promise((resolve, reject) => {
    const source = context.bodyStream();
    parser.on('field', (name, value) => takeField(parts, name, value));
    parser.on('file', (name, stream, { filename }) => {
      const chunks: Buffer[] = [];
      if (collection.fields.get(name)?.kind !== 'file') return void stream.resume();
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => (parts.uploads[name] ??= []).push({ name: filename ?? '', bytes: Buffer.concat(chunks) }));
    });
    parser.on('close', () => resolve(parts));
    parser.on('error', reject);
    source.on('error', reject);
    let size = 0;
    source.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limitBytes) return;
      source.unpipe(parser);
      source.resume();
      reject(new AppError('too_large', `The body is larger than ${limitBytes} bytes.`));
    });
    source.pipe(parser);
  });
}

/** `@jsonPayload` parts are objects that are taken as they are; one that can't be read is skipped. */
function takeField(parts: Parts, name: string, value: string): void {
  if (name !== JSON_PART) {
    parts.fields.set(name, [...(parts.fields.get(name) ?? []), value]);
    return;
  }
  try {
    const payload: unknown = JSON.parse(value);
    if (typeof payload === 'object' && payload !== null && !Array.isArray(payload)) parts.json.push(payload as AnyRow);
  } catch {
    return;
  }
}
