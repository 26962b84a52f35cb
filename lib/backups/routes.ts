import 'server-only';
import { createReadStream } from 'node:fs';
import fs from 'node:fs/promises';
import { z } from 'zod';
import { actorOfFileToken } from '@/lib/auth/actor';
import { adminProofShape, requireAdminProof } from '@/lib/accounts/security/admin-proof';
import { isFreshProof, provenAt } from '@/lib/auth/fresh-admin';
import { createBackup } from './create-backup';
import { findBackup, listBackups, newBackupKey } from './folder';
import { backupNamed, deleteBackup, requireBackup } from './named';
import { restoreBackup } from './restore-backup';
import { inBackupTurn } from './turn';
import { AppError, type FieldProblem, GENERIC_MESSAGE } from '@/lib/errors';
import type { KernelResponse, RequestContext, Route } from '@/lib/http/context';
import { nameOfUser, recordAuditAlone } from '@/lib/records/audit';
import { requireAdmin } from '@/lib/auth/admin-guard';
import { defineRoute } from '@/lib/http/route';
import { receiveBackup } from './upload';
import { fileHeaders, rangeOf } from '@/lib/http/file-headers';

const NAME = /^[a-z0-9_-]{1,146}\.zip$/;
const ONE = '/api/backups/:key';

/** The name that was asked for, or one of the time. Throws AppError `invalid` where it can't be had. */
async function newKey(name: unknown): Promise<string> {
  const key = name === undefined || name === null || name === '' ? newBackupKey('berth_backup_') : String(name);
  const problem = await checkName(key);
  if (problem) throw new AppError('invalid', GENERIC_MESSAGE, { fields: { name: problem } });
  return key;
}

async function checkName(key: string): Promise<FieldProblem | undefined> {
  if (!NAME.test(key)) return { code: 'validation_match_invalid', message: 'Must be in a valid format.' };
  if (!(await findBackup(key))) return undefined;
  return { code: 'validation_backup_name_exists', message: 'The backup file name is invalid or already exists.' };
}

const ZIP = { mime: 'application/zip', contentType: 'application/zip' };

/** A download link is opened by the browser itself, so the token is in the address and lives for two minutes. */
async function handleDownload(context: RequestContext): Promise<KernelResponse> {
  if (actorOfFileToken(context.query.get('token') ?? '').kind !== 'admin') {
    throw new AppError('forbidden', 'Insufficient permissions to access the resource.');
  }
  if (!isFreshProof(provenAt(context.query.get('token') ?? ''))) {
    throw new AppError(
      'forbidden',
      'A backup holds every secret. Log in again, or ask for the file token with your password.',
    );
  }
  const file = await requireBackup(context);
  const stats = await fs.stat(file);
  const headers = fileHeaders({ name: context.params.key!, type: ZIP, stats, isProtected: true, download: 'true' });
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

const fileSchema = z.strictObject({ key: z.string(), size: z.int().describe('Bytes'), modified: z.string() });

/** Backups of the whole console. */
export const backupRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: '/api/backups',
    summary: 'The backups',
    guard: requireAdmin,
    answer: z.array(fileSchema),
    picks: true,
    handle: listBackups,
  }),
  defineRoute({
    method: 'POST',
    path: '/api/backups',
    summary: 'Makes a backup',
    guard: requireAdmin,
    bodyShape: adminProofShape.extend({
      name: z.string().regex(NAME).optional().describe('Named by the time where left out'),
    }),
    example: { name: 'before_update.zip' },
    async handle({ context, body, caller: actor }) {
      await requireAdminProof(context, actor, body);
      const { name } = body;
      const key = await newKey(name);
      await inBackupTurn(() => createBackup(key));
      await recordAuditAlone({ action: 'backup.create', actor, on: backupNamed(key) });
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/api/backups/upload',
    summary: 'Takes a backup from elsewhere',
    guard: requireAdmin,
    bodyShape: z.object({ file: z.file().describe('A zip; its name is the backup’s') }),
    bodyTypes: ['multipart/form-data'],
    read: receiveBackup,
    async handle({ body: name, caller: actor }) {
      await recordAuditAlone({ action: 'backup.upload', actor, on: backupNamed(name) });
    },
  }),
  defineRoute({
    method: 'GET',
    path: ONE,
    summary: 'Downloads a backup',
    query: { token: 'A file token made with the administration token, soon after its log-in or with the password' },
    mediaType: 'application/zip',
    handle: ({ context }) => handleDownload(context),
  }),
  defineRoute({
    method: 'DELETE',
    path: ONE,
    summary: 'Deletes a backup',
    guard: requireAdmin,
    handle: ({ context, caller: actor }) => deleteBackup(context, actor),
  }),
  defineRoute({
    method: 'POST',
    path: `${ONE}/restore`,
    summary: 'Restores a backup',
    guard: requireAdmin,
    bodyShape: adminProofShape,
    example: {},
    /** Told in the log that the backup brought along; the admin may have had no account then. */
    async handle({ context, body, caller: actor }) {
      await requireAdminProof(context, actor, body);
      const userName = nameOfUser(actor.id);
      const on = backupNamed(context.params.key!);
      await restoreBackup(await requireBackup(context), { action: 'backup.restore', actor, userName, on });
    },
  }),
];
