import 'server-only';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { FieldProblem, FieldProblems } from '@/lib/errors';
import { newSecret } from '@/lib/ids';
import { log } from '@/lib/log';
import type { AnyRow, Collection } from './collection';
import type { Field } from './fields/field';
import { castText } from './fields/text';
import { castList } from './fields/values';
import { mediaTypeOf } from './media-type';
import { removeStoredFile, storedFilesFolder } from './stored-files';

const MAX_EXTENSION = 20;

/** A file as it came in. */
export interface Upload {
  /** As the client called it; may hold folders. */
  name: string;
  bytes: Buffer;
}

/** A body whose uploads lie on disk under their stored names, to be kept or discarded with the write. */
export interface PlacedUploads {
  body: Readonly<AnyRow>;
  problems: FieldProblems;
  /** After the commit: drops the files that the record no longer names. */
  keep(): void;
  /** After a failure: drops what was stored. */
  discard(): Promise<void>;
}

interface PlaceRequest {
  id: string;
  uploads: Readonly<Record<string, readonly Upload[]>>;
  body: Readonly<AnyRow>;
  before: AnyRow | undefined;
}

/** Checks uploads and stores them before the write's transaction, which can do no disk work. */
export async function placeUploads(collection: Collection, request: PlaceRequest): Promise<PlacedUploads> {
  const body: AnyRow = { ...request.body };
  const problems: FieldProblems = {};
  const stored: string[] = [];
  const dropped: string[] = [];
  const removeAll = (names: readonly string[]) =>
    Promise.all(names.map((file) => removeStoredFile(collection.id, request.id, file)));
  try {
    for (const [name, field] of collection.fields) {
      if (field.kind !== 'file' || field.options.serverWritten) continue;
      const problem = await placeField(collection, field, { ...request, name, body, stored, dropped });
      if (problem) problems[name] = problem;
    }
  } catch (error) {
    await removeAll(stored);
    throw error;
  }
  return {
    body,
    problems,
    keep: () => void removeAll(dropped).catch((error: unknown) => log.warn({ err: error }, 'files were left behind')),
    discard: async () => void (await removeAll(stored)),
  };
}

interface FieldScope extends Omit<PlaceRequest, 'body'> {
  name: string;
  body: AnyRow;
  stored: string[];
  dropped: string[];
}

async function placeField(collection: Collection, field: Field, scope: FieldScope): Promise<FieldProblem | undefined> {
  const { name, body, before, stored, dropped } = scope;
  const sent = Object.hasOwn(scope.uploads, name) ? scope.uploads[name]! : [];
  const uploads = field.multiple ? sent : sent.slice(0, 1);
  const held = [before?.[name]].flat().filter((item): item is string => typeof item === 'string' && item !== '');
  const kept = keptNames(field, { name, body, held });
  if (kept === undefined && uploads.length === 0) return undefined;
  const unknown = (kept ?? []).some((item) => !held.includes(item));
  if (unknown) return { code: 'validation_unknown_filenames', message: 'The field contains unknown filenames.' };
  const added: { file: string; bytes: Buffer }[] = [];
  for (const upload of uploads) {
    const file = await storedNameOf(upload);
    const problem = await checkUpload(field, upload, file);
    if (problem) return problem;
    added.push({ file, bytes: upload.bytes });
  }
  const all = [...(kept ?? (field.multiple ? held : [])), ...added.map(({ file }) => file)];
  const value = field.cast(field.multiple ? all : all.slice(-1));
  body[name] = value;
  delete body[`${name}-`];
  const named = new Set([value].flat());
  dropped.push(...held.filter((item) => !named.has(item)));
  const folder = storedFilesFolder(collection.id, scope.id);
  for (const { file, bytes } of added.filter(({ file: item }) => named.has(item))) {
    await fs.mkdir(folder, { recursive: true });
    stored.push(file);
    await fs.writeFile(path.join(folder, file), bytes);
  }
  return undefined;
}

/** The names that the body leaves in the field; undefined when it does not speak of the field. */
function keptNames(
  field: Field,
  { name, body, held }: { name: string; body: AnyRow; held: readonly string[] },
): string[] | undefined {
  const dropped = new Set(castList(body[`${name}-`]));
  for (const key of Object.keys(body)) {
    if (!key.startsWith(`${name}.`) || castText(body[key]) !== '') continue;
    const which = key.slice(name.length + 1);
    dropped.add(/^\d+$/.test(which) ? (held[Number(which)] ?? which) : which);
    delete body[key];
  }
  const plain = body[name];
  if (plain === undefined && dropped.size === 0) return undefined;
  const names = plain === undefined ? held : ([field.cast(plain)].flat() as string[]);
  return names.filter((item) => item !== '' && !dropped.has(item));
}

async function checkUpload(field: Field, upload: Upload, storedName: string): Promise<FieldProblem | undefined> {
  const { maxBytes, mimeTypes } = field.file!;
  if (upload.bytes.length > maxBytes) {
    const message = `Failed to upload "${baseName(upload.name)}" - the maximum allowed file size is ${maxBytes} bytes.`;
    return { code: 'validation_file_size_limit', message };
  }
  if (mimeTypes.length === 0) return undefined;
  const { mime } = await mediaTypeOf(upload.bytes);
  if (mimeTypes.includes(mime)) return undefined;
  const message = `"${storedName}" mime type must be one of: ${mimeTypes.join(', ')}.`;
  return { code: 'validation_invalid_mime_type', message };
}

function baseName(name: string): string {
  return name.split(/[/\\]/).at(-1) ?? '';
}

/** `My Document.txt` → `my_document_a1B2c3D4e5.txt`. */
async function storedNameOf({ name, bytes }: Upload): Promise<string> {
  const base = baseName(name);
  const rawExtension = /(?:\.[^.]*)?\.[^.]*$/.exec(base)?.[0] ?? '';
  const cleaned = rawExtension.replace(/[^A-Za-z0-9_.*\-+=#]/g, '');
  const wanted = /[A-Za-z0-9]/.test(cleaned) ? cleaned : (await mediaTypeOf(bytes)).extension;
  const extension = wanted.length > MAX_EXTENSION ? `.${wanted.slice(-MAX_EXTENSION)}` : wanted;
  const stem = base
    .slice(0, base.length - rawExtension.length)
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .toLowerCase();
  const padded = stem.length < 3 ? stem + newSecret(10) : stem;
  return `${padded.slice(0, 100)}_${newSecret(10)}${extension}`;
}
