import 'server-only';
import { createReadStream } from 'node:fs';
import fs from 'node:fs/promises';
import { actorOfFileToken } from '@/lib/auth/actor';
import { createBackup } from './create-backup';
import { findBackup, listBackups } from './folder';
import { restoreBackup } from './restore-backup';
import { inBackupTurn } from './turn';
import { nowMs, toWireDate } from '@/lib/clock';
import { AppError, type FieldProblem, GENERIC_MESSAGE, NOT_FOUND_MESSAGE } from '@/lib/errors';
import { readSmallBody } from '@/lib/http/body';
import type { KernelResponse, RequestContext, Route } from '@/lib/http/context';
import { nameOfUser, recordAuditAlone } from '@/lib/records/audit';
import { adminRoute, answerJson, type AdminActor } from '@/lib/auth/admin-guard';
import { receiveBackup } from './upload';
import { fileHeaders, rangeOf } from '@/lib/http/file-headers';

const NAME = /^[a-z0-9_-]{1,146}\.zip$/;
const DONE: KernelResponse = { status: 204 };
const ONE = '/api/backups/:key';

async function handleCreate(context: RequestContext, admin: AdminActor): Promise<KernelResponse> {
  const { name } = await readSmallBody(context);
  const stamp = toWireDate(nowMs()).slice(0, 19).replace(/\D/g, '');
  const key = name === undefined || name === null || name === '' ? `berth_backup_${stamp}.zip` : String(name);
  const problem = await checkName(key);
  if (problem) throw new AppError('invalid', GENERIC_MESSAGE, { fields: { name: problem } });
  await inBackupTurn(() => createBackup(key));
  await recordAuditAlone({ action: 'backup.create', actor: admin, on: backupNamed(key) });
  return DONE;
}

async function checkName(key: string): Promise<FieldProblem | undefined> {
  if (!NAME.test(key)) return { code: 'validation_match_invalid', message: 'Must be in a valid format.' };
  if (!(await findBackup(key))) return undefined;
  return { code: 'validation_backup_name_exists', message: 'The backup file name is invalid or already exists.' };
}

function backupNamed(name: string) {
  return { collection: '', record: '', name };
}

async function requireBackup({ params }: RequestContext): Promise<string> {
  const file = await findBackup(params.key!);
  if (!file) throw new AppError('not_found', NOT_FOUND_MESSAGE);
  return file;
}

const ZIP = { mime: 'application/zip', contentType: 'application/zip' };

/** A download link is opened by the browser itself, so the token is in the address and lives for two minutes. */
async function handleDownload(context: RequestContext): Promise<KernelResponse> {
  if (actorOfFileToken(context.query.get('token') ?? '').kind !== 'admin') {
    throw new AppError('forbidden', 'Insufficient permissions to access the resource.');
  }
  const file = await requireBackup(context);
  const stats = await fs.stat(file);
  const headers = fileHeaders({ name: context.params.key!, type: ZIP, stats, download: 'true' });
  headers['cache-control'] = 'no-store';
  const range = rangeOf(context, stats);
  if (range === 'outside') {
    return { status: 416, headers: { ...headers, 'content-range': `bytes */${stats.size}` }, body: '' };
  }
  const { start, end } = range ?? { start: 0, end: stats.size - 1 };
  headers['content-length'] = String(end - start + 1);
  if (range) headers['content-range'] = `bytes ${start}-${end}/${stats.size}`;
  return { status: range ? 206 : 200, headers, body: createReadStream(file, { start, end }) };
}

async function handleDelete(context: RequestContext, admin: AdminActor): Promise<KernelResponse> {
  const file = await requireBackup(context);
  await inBackupTurn(() => fs.rm(file));
  await recordAuditAlone({ action: 'backup.delete', actor: admin, on: backupNamed(context.params.key!) });
  return DONE;
}

/** Told in the log that the backup brought along; the admin may have had no account then. */
async function handleRestore(context: RequestContext, admin: AdminActor): Promise<KernelResponse> {
  const userName = nameOfUser(admin.id);
  const on = backupNamed(context.params.key!);
  await restoreBackup(await requireBackup(context), { action: 'backup.restore', actor: admin, userName, on });
  return DONE;
}

/** Backups of the whole console. */
export const backupRoutes: Route[] = [
  adminRoute('GET', '/api/backups', async (context) => answerJson(context, await listBackups())),
  adminRoute('POST', '/api/backups', handleCreate),
  adminRoute('POST', '/api/backups/upload', async (context, admin) => {
    const name = await receiveBackup(context);
    await recordAuditAlone({ action: 'backup.upload', actor: admin, on: backupNamed(name) });
    return DONE;
  }),
  { method: 'GET', path: ONE, handle: handleDownload },
  adminRoute('DELETE', ONE, handleDelete),
  adminRoute('POST', `${ONE}/restore`, handleRestore),
];
