import 'server-only';
import fs from 'node:fs/promises';
import { AppError, NOT_FOUND_MESSAGE } from '@/lib/errors';
import type { RequestContext } from '@/lib/http/context';
import type { Actor } from '@/lib/policies/actor';
import { recordAuditAlone } from '@/lib/records/audit';
import { findBackup } from './folder';
import { inBackupTurn } from './turn';

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

/** Deletes the backup that the path names. Throws AppError `not_found`, and `invalid` while one is made or restored. */
export async function deleteBackup(context: RequestContext, actor: Actor): Promise<void> {
  const file = await requireBackup(context);
  await inBackupTurn(() => fs.rm(file));
  await recordAuditAlone({ action: 'backup.delete', actor, on: backupNamed(context.params.key!) });
}
