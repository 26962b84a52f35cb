import 'server-only';
import { z } from 'zod';
import { users } from '@/lib/accounts/collection';
import { requireStepUp, stepUpShape } from '@/lib/accounts/security/step-up';
import { accountById, type Account } from '@/lib/auth/accounts';
import { requireFullAccess } from '@/lib/auth/admin-guard';
import { inSeconds } from '@/lib/auth/fresh-admin';
import { issueToken } from '@/lib/auth/tokens';
import { nowMs, toWireDate } from '@/lib/clock';
import { AppError, fieldError } from '@/lib/errors';
import type { RequestContext, Route } from '@/lib/http/context';
import { defineRoute } from '@/lib/http/route';
import { log } from '@/lib/log';
import { actorUserId, credentialOf, refuseApiToken, type Actor } from '@/lib/policies/actor';
import { nameOfUser, recordAuditAlone } from '@/lib/records/audit';
import { singleton } from '@/lib/singleton';
import { describeStorageFault } from '@/lib/storage-fault';
import { automaticFailure, automaticKeys, nextAutomaticMs } from './automatic';
import { createBackup } from './create-backup';
import { listBackups, newBackupKey } from './folder';
import { backupNamed, deleteBackup, requireBackup } from './named';
import { restoreBackup } from './restore-backup';
import { inBackupTurn, isBackupRunning } from './turn';
import { receiveBackup } from './upload';

const ALL = '/api/console/backups';
const ONE = `${ALL}/:key`;

interface Caller {
  actor: Actor;
  account: Account;
  sessionId: string | undefined;
}

/** An admin who logged in on the pages. Throws AppError `unauthenticated` or `forbidden`, the latter for API tokens too. */
function requirePerson(context: RequestContext): Caller {
  const actor = requireFullAccess(context);
  refuseApiToken(actor, 'backups');
  return { actor, account: accountById(actorUserId(actor))!, sessionId: credentialOf(actor)?.id };
}

const fileSchema = z.strictObject({
  key: z.string(),
  size: z.int().describe('Bytes'),
  modified: z.string(),
  isAutomatic: z.boolean().describe('Made by the schedule: goes once there are more than it keeps'),
});

const listSchema = z.strictObject({
  items: z.array(fileSchema),
  isRunning: z.boolean().describe('Whether one is being made or restored'),
  next: z.string().describe('When the schedule makes the next; empty without one'),
  failure: z.string().describe('Why the last one was not made; empty where it was'),
});

/** Why the last backup that somebody asked for on the page was not made. */
const asked = singleton('asked-backup', () => ({ failure: '' }));

async function describeBackups(): Promise<z.input<typeof listSchema>> {
  const files = await listBackups();
  const automatic = new Set(automaticKeys());
  const next = nextAutomaticMs(files);
  return {
    items: files.map((file) => ({ ...file, isAutomatic: automatic.has(file.key) })),
    isRunning: isBackupRunning(),
    next: next === undefined ? '' : toWireDate(next),
    failure: asked.failure || (automaticFailure()?.message ?? ''),
  };
}

/** Resolves once the backup is begun: one of a large database takes longer than a page waits. */
async function beginBackup(actor: Actor): Promise<string> {
  if (isBackupRunning()) throw new AppError('conflict', 'A backup is being made or restored already.');
  const key = newBackupKey('berth_backup_');
  asked.failure = '';
  inBackupTurn(() => createBackup(key))
    .then(() => recordAuditAlone({ action: 'backup.create', actor, on: backupNamed(key) }))
    .catch((error: unknown) => {
      const known = error instanceof AppError ? error.message : describeStorageFault(error);
      asked.failure = known ?? 'The backup could not be made: the log of the console says why.';
      log.error({ err: error }, 'a backup failed');
    });
  return key;
}

const passwordBody = stepUpShape;
const restoreBody = stepUpShape.extend({ name: z.string().describe('The name of the backup, typed') });

/** Backups of the whole console, for its pages: as `/api/backups`, for admins who logged in there. */
export const backupPageRoutes: Route[] = [
  defineRoute({
    method: 'GET',
    path: ALL,
    summary: 'The backups of the console, when the next is made, and why one was not',
    guard: requirePerson,
    answer: listSchema,
    handle: describeBackups,
  }),
  defineRoute({
    method: 'POST',
    path: ALL,
    summary: 'Begins a backup of the console',
    guard: requirePerson,
    answer: z.strictObject({ key: z.string() }),
    status: 202,
    handle: async ({ caller }) => ({ key: await beginBackup(caller.actor) }),
  }),
  defineRoute({
    method: 'POST',
    path: `${ALL}/upload`,
    summary: 'Takes a backup of the console from elsewhere',
    guard: requirePerson,
    bodyShape: z.object({ file: z.file().describe('A zip; its name is the backup’s') }),
    bodyTypes: ['multipart/form-data'],
    read: receiveBackup,
    async handle({ body: name, caller: { actor } }) {
      await recordAuditAlone({ action: 'backup.upload', actor, on: backupNamed(name) });
    },
  }),
  defineRoute({
    method: 'POST',
    path: `${ALL}/token`,
    summary: 'A token that downloads backups by `/api/backups/{key}?token=`, for two minutes',
    guard: requirePerson,
    bodyShape: passwordBody,
    answer: z.strictObject({ token: z.string() }),
    example: { password: 'Berth!pass1' },
    async handle({ body, caller }) {
      await requireStepUp(caller, body);
      return { token: issueToken(caller.account, 'adminFile', users.id, { at: inSeconds(nowMs()) }) };
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: ONE,
    summary: 'Deletes a backup of the console',
    guard: requirePerson,
    handle: ({ context, caller: { actor } }) => deleteBackup(context, actor),
  }),
  defineRoute({
    method: 'POST',
    path: `${ONE}/restore`,
    summary: 'Puts a backup, whose name is given, in the place of everything that the console has',
    guard: requirePerson,
    bodyShape: restoreBody,
    example: { name: 'before_update.zip', password: 'Berth!pass1' },
    async handle({ context, body, caller }) {
      const key = context.params.key!;
      const file = await requireBackup(context);
      if (body.name !== key) {
        throw fieldError('name', 'validation_not_the_name', 'Type the name of the backup as it is.');
      }
      await requireStepUp(caller, body);
      const { actor } = caller;
      const userName = nameOfUser(caller.account.id);
      await restoreBackup(file, { action: 'backup.restore', actor, userName, on: backupNamed(key) });
    },
  }),
];
