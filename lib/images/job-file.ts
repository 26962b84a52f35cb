import 'server-only';
import { once } from 'node:events';
import fs from 'node:fs';
import { AppError } from '@/lib/errors';
import { getDesired } from '@/lib/hosts/link/desired';
import type { KernelResponse } from '@/lib/http/context';
import { jobKind } from './at-host';
import { storedPath } from './file-hashes';

/**
 * A file that a host builds with, for as long as it is asked for the build. Throws `not_found` for any other, and for one that
 * was replaced or removed since.
 */
export async function openJobFile(hostId: string, jobId: string, fileId: string): Promise<KernelResponse> {
  const spec = getDesired(jobKind, hostId, jobId)?.spec;
  const context = spec?.job === 'build' && !spec.cancel ? (spec.context ?? []) : [];
  const wanted = context.find((file) => file.from === 'console' && file.file === fileId);
  if (wanted?.from !== 'console')
    throw new AppError('not_found', 'This host has no such job, or the job no such file.');
  const body = fs.createReadStream(storedPath({ id: wanted.file, file: wanted.name }));
  try {
    await once(body, 'open');
  } catch (error) {
    const words = 'The file was replaced or removed since the build was asked for. Build again.';
    throw new AppError('not_found', words, { cause: error });
  }
  const headers = { 'content-type': 'application/octet-stream', 'content-length': String(wanted.sizeBytes) };
  return { status: 200, headers, body };
}
