import type { Readable } from 'node:stream';
import busboy from 'busboy';
import { AppError } from '@/lib/errors';
import type { RequestContext } from './context';

const JSON_PART = '@jsonPayload';
const MAX_FILES = 100;
const MAX_PARTS = 2000;

/** A file as it came in. */
export interface FormFile {
  /** As the client called it; may hold folders. */
  name: string;
  bytes: Buffer;
}

/** A multipart body: texts and files by their key, in order, and the objects of its `@jsonPayload` parts. */
export interface FormParts {
  fields: Map<string, string[]>;
  json: Record<string, unknown>[];
  files: Map<string, FormFile[]>;
}

interface PartLimits {
  limitBytes: number;
  /** Of all texts together; as much as the body where left out. */
  textBytes?: number;
  /** Files of other keys are passed over. */
  takesFile?: (key: string) => boolean;
  fileBytes?: number;
}

/** Reads a multipart body. Throws AppError `too_large` past the limit, and the parser's error for what is no such body. */
export async function readFormParts(context: RequestContext, limitsOf: PartLimits): Promise<FormParts> {
  const parts: FormParts = { fields: new Map(), json: [], files: new Map() };
  const textBytes = limitsOf.textBytes ?? limitsOf.limitBytes;
  let texts = 0;
  const parser = busboy({
    headers: { 'content-type': context.header('content-type') },
    defParamCharset: 'utf8',
    limits: {
      fileSize: (limitsOf.fileBytes ?? 0) + 1,
      files: MAX_FILES,
      fieldSize: textBytes,
      parts: MAX_PARTS,
    },
  });
  parser.on('field', (key, value, { valueTruncated }) => {
    texts += key.length + value.length;
    if (!valueTruncated && texts <= textBytes) takeField(parts, key, value);
    else parser.destroy(new AppError('too_large', `The texts are larger than ${textBytes} bytes.`));
  });
  parser.on('file', (key, stream, { filename }) => {
    if (limitsOf.takesFile?.(key)) takeFile(parts, key, { stream, name: filename ?? '' });
    else stream.resume();
  });
  await pour(context.bodyStream(), parser, limitsOf.limitBytes);
  return parts;
}

/**
 * Has the parser read a body. Rejects with its error, or AppError `too_large` past the limit; the rest of the body is then
 * read and dropped, so that an answer can be sent.
 */
export function pour(source: Readable, parser: busboy.Busboy, limitBytes: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let size = 0;
    // The rest is read and dropped, as many clients look for an answer only once they have sent everything.
    const refuse = (error: Error): void => {
      source.unpipe(parser);
      source.resume();
      reject(error);
    };
    parser.on('close', resolve);
    parser.on('error', (error) => refuse(error as Error));
    source.on('error', reject);
    source.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limitBytes) refuse(new AppError('too_large', `The body is larger than ${limitBytes} bytes.`));
    });
    source.pipe(parser);
  });
}

function takeFile({ files }: FormParts, key: string, { stream, name }: { stream: Readable; name: string }): void {
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  stream.on('end', () => files.set(key, [...(files.get(key) ?? []), { name, bytes: Buffer.concat(chunks) }]));
}

/** `@jsonPayload` parts are objects that are taken as they are; one that can't be read is skipped. */
function takeField({ fields, json }: FormParts, key: string, value: string): void {
  if (key !== JSON_PART) {
    fields.set(key, [...(fields.get(key) ?? []), value]);
    return;
  }
  try {
    const payload: unknown = JSON.parse(value);
    if (typeof payload === 'object' && payload !== null && !Array.isArray(payload)) {
      json.push(payload as Record<string, unknown>);
    }
  } catch {
    return;
  }
}
