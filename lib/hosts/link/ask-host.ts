import 'server-only';
import { z, type ZodType } from 'zod';
import { AppError, type ErrorCode, type FieldProblems } from '@/lib/errors';
import { ANSWER_MAX_BYTES, type RefusedCode, refusedSchema } from '@/lib/protocol/file-streams';
import { parseJson } from '@/lib/protocol/parse-json';
import type { OpenStream } from '@/lib/protocol/streams';
import { openHostStream } from './host-link';
import { readChunks } from './stream-chunks';

/** How long a host may take to answer. */
const ANSWER_PATIENCE_MS = 30_000;
const NO_ANSWER = 'The host gives no answer at the moment.';

const codes: Record<RefusedCode, ErrorCode> = {
  missing: 'not_found',
  invalid: 'invalid',
  exists: 'conflict',
  container: 'conflict',
  busy: 'conflict',
  full: 'conflict',
  failed: 'host_unavailable',
};

/**
 * A host's answer to a question, as JSON. Throws an AppError with its words where it refuses, and `host_unavailable` where
 * it gives none.
 */
export async function askHost<T>(
  hostId: string,
  open: OpenStream,
  { schema, signal }: { schema: ZodType<T>; signal: AbortSignal },
): Promise<T> {
  const patience = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_PATIENCE_MS)]);
  return readAnswer(readChunks(openHostStream(hostId, open), patience), schema);
}

/** The same of a stream that is open already. */
export async function readAnswer<T>(chunks: AsyncIterable<Buffer>, schema: ZodType<T>): Promise<T> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    parts.push(chunk);
    size += chunk.length;
    if (size > ANSWER_MAX_BYTES) throw new AppError('host_unavailable', NO_ANSWER);
  }
  return parseAnswer(Buffer.concat(parts).toString('utf8'), schema);
}

/** One answer. Throws as `askHost` does. */
export function parseAnswer<T>(text: string, schema: ZodType<T>): T {
  const read = z.union([refusedSchema, schema]).safeParse(parseJson(text));
  if (!read.success) throw new AppError('host_unavailable', NO_ANSWER, { cause: read.error });
  const answer = read.data as T | z.infer<typeof refusedSchema>;
  const refused = refusedSchema.safeParse(answer);
  if (!refused.success) return answer as T;
  const { code, message } = refused.data.refused;
  const fields: FieldProblems = code === 'exists' ? { name: { code: 'validation_file_exists', message } } : {};
  throw new AppError(codes[code], message, { fields });
}
