import 'server-only';
import { createWriteStream } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import busboy from 'busboy';
import { fileTypeFromFile } from 'file-type';
import { backupsFolder, findBackup, isBackupKey } from './folder';
import { AppError, fieldError } from '@/lib/errors';
import type { RequestContext } from '@/lib/http/context';
import { pour } from '@/lib/http/form-parts';
import { newSecret } from '@/lib/ids';

const UNREADABLE = 'An error occurred while loading the submitted data.';

/** Takes a zip of the field `file` into the backups, streamed to disk; resolves with its name. Throws AppError `invalid`, nothing kept. */
export async function receiveBackup(context: RequestContext): Promise<string> {
  await fs.mkdir(backupsFolder(), { recursive: true, mode: 0o700 });
  const partial = path.join(backupsFolder(), `.upload-${newSecret(10)}.partial`);
  try {
    const key = await receiveFile(context, partial);
    if (key === undefined) throw fieldError('file', 'validation_required', 'Cannot be blank.');
    if (!isBackupKey(key)) throw fieldError('file', 'validation_match_invalid', 'Must be in a valid format.');
    if (await findBackup(key)) {
      throw fieldError('file', 'validation_backup_name_exists', 'Backup file with the specified name already exists.');
    }
    const sniffed = await fileTypeFromFile(partial);
    if (sniffed?.mime !== 'application/zip') {
      const message = `"${key}" mime type must be one of: application/zip.`;
      throw fieldError('file', 'validation_invalid_mime_type', message);
    }
    await fs.rename(partial, path.join(backupsFolder(), key));
    return key;
  } finally {
    await fs.rm(partial, { force: true });
  }
}

/** Resolves with the file's own name, once it lies on disk; undefined where there was none. */
async function receiveFile(context: RequestContext, target: string): Promise<string | undefined> {
  if (!context.header('content-type').startsWith('multipart/form-data')) throw new AppError('invalid', UNREADABLE);
  let name: string | undefined;
  let written: Promise<void> = Promise.resolve();
  let incoming: Readable | undefined;
  try {
    const headers = { 'content-type': context.header('content-type') };
    const parser = busboy({ headers, defParamCharset: 'utf8', limits: { files: 1 } });
    parser.on('file', (field: string, stream: Readable, { filename }: { filename?: string }) => {
      if (field !== 'file' || name !== undefined) return void stream.resume();
      incoming = stream;
      name = path.posix.basename((filename ?? '').replaceAll('\\', '/'));
      written = pipeline(stream, createWriteStream(target, { mode: 0o600, flush: true }));
      written.catch(() => parser.destroy());
    });
    await pour(context.bodyStream(), parser, Infinity);
    await written;
    return name;
  } catch (cause) {
    // A body that breaks off leaves the part's stream open for good.
    incoming?.destroy();
    await written.catch(() => undefined);
    throw new AppError('invalid', UNREADABLE, { cause });
  }
}
