import 'server-only';
import { limits } from '@/lib/vocabulary/limits';
import type { RequestContext } from './context';
import { readFormParts } from './form-parts';
import type { AnyRow, Collection } from '@/lib/records/collection';
import type { Upload } from '@/lib/records/uploads';

/** Reads a multipart body against the collection: repeated keys make lists where the field holds several values. */
export async function readMultipart(
  context: RequestContext,
  collection: Collection,
  size: { textBytes: number; limitBytes: number },
): Promise<{ body: AnyRow; uploads: Record<string, Upload[]> }> {
  const { fields, json, files } = await readFormParts(context, {
    ...size,
    takesFile: (key) => collection.fields.get(key)?.kind === 'file',
    fileBytes: Math.max(limits.uploadBytes, ...[...collection.fields.values()].map(({ file }) => file?.maxBytes ?? 0)),
  });
  const body: AnyRow = Object.create(null) as AnyRow;
  for (const [name, values] of fields) {
    const field = collection.fields.get(name.replace(/[+-]$/, ''));
    body[name] = values.length > 1 && isListKind(field?.kind) ? values : values[0];
  }
  for (const payload of json) Object.assign(body, payload);
  return { body, uploads: Object.fromEntries(files) };
}

function isListKind(kind: string | undefined): boolean {
  return kind === 'select' || kind === 'file' || kind === 'relation';
}
