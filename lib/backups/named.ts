import 'server-only';
import { AppError, NOT_FOUND_MESSAGE } from '@/lib/errors';
import type { RequestContext } from '@/lib/http/context';
import { findBackup } from './folder';

/** A backup as the audit log names it. */
export function backupNamed(name: string) {
  return { collection: '', record: '', name };
}

/** Where the backup lies that the path names. Throws AppError `not_found`. */
export async function requireBackup({ params }: RequestContext): Promise<string> {
  const file = await findBackup(params.key!);
  if (!file) throw new AppError('not_found', NOT_FOUND_MESSAGE);
  return file;
}
